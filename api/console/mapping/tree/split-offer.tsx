import { UnstyledButton } from '@mantine/core';
import { announce } from '../../parts/feedback/announce.tsx';
import { listOf } from '../model/draft/split.ts';
import { isSplittable, type TreeNode } from '../model/field-tree.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './tree.module.css';

/** The button next to a list that creates one alert for each of its elements. */
export function SplitOffer({ node, isActive }: { node: TreeNode; isActive: boolean }) {
  const { draft, dispatch, mayWrite } = useEditorContext();
  if (!isSplittable(node)) return null;
  if (draft.split !== null && listOf(draft.split) === node.path)
    return <span className={styles.count}>· one alert per element</span>;
  if (!mayWrite) return null;
  const split = () => {
    dispatch({ type: 'split', path: node.path });
    announce(`Each element of ${node.label} now creates its own alert`);
  };
  return (
    <UnstyledButton
      className={styles.offer}
      tabIndex={isActive ? 0 : -1}
      onClick={(event) => {
        event.stopPropagation();
        split();
      }}
    >
      Split into alerts
    </UnstyledButton>
  );
}
