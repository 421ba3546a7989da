import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconChevronRight, IconGripVertical } from '@tabler/icons-react';
import { type KeyboardEvent, memo, useRef } from 'react';
import { announce } from '../../parts/feedback/announce.tsx';
import { useDragField } from '../insert/use-drag-field.ts';
import { listOf } from '../model/draft/split.ts';
import { hasNamedValues, isSplittable, type TreeNode } from '../model/field-tree.ts';
import type { TreeRow } from '../model/tree-rows.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './tree.module.css';

interface TreeRowProps {
  row: TreeRow;
  /** The distance from the top of the tree, in pixels. */
  top: number;
  isActive: boolean;
  isSelected: boolean;
  isUsed: boolean;
  maySelect: boolean;
  actions: TreeActions;
}

/** The actions of rows. The object stays the same, so that a row renders again only when it has changed. */
export interface TreeActions {
  toggle(row: TreeRow): void;
  activate(row: TreeRow): void;
  /** Selects the field, or cancels the selection. */
  select(row: TreeRow, element: HTMLElement, byKey: boolean): void;
}

const TYPES: Record<TreeNode['type'], string> = {
  text: 'str',
  number: 'num',
  boolean: 'bool',
  null: 'null',
  list: 'list',
  object: 'obj',
};

/** A payload field, to drag, or to select by a click or Enter. A click on a branch expands it. */
export const TreeRowView = memo((props: TreeRowProps) => {
  const { row, top, isActive, isSelected, isUsed, maySelect, actions } = props;
  const { node, level, expanded } = row;
  const element = useRef<HTMLDivElement>(null);
  useDragField(element, { path: node.path, label: node.label }, maySelect);
  const select = (byKey: boolean) => {
    if (maySelect && element.current) actions.select(row, element.current, byKey);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== element.current || (event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    select(true);
  };
  return (
    <div
      ref={element}
      role="treeitem"
      className={styles.row}
      aria-level={level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-selected={isSelected}
      aria-expanded={expanded ?? undefined}
      tabIndex={isActive ? 0 : -1}
      data-path={node.path}
      data-label={node.label}
      data-used={isUsed}
      data-pickable={maySelect}
      style={{ top, paddingLeft: `${(level - 1) * 0.9}rem` }}
      onClick={() => (expanded === null ? select(false) : actions.toggle(row))}
      onFocus={() => actions.activate(row)}
      onKeyDown={onKeyDown}
    >
      <span className={styles.sign} data-expanded={expanded ?? undefined} aria-hidden="true">
        {expanded === null ? maySelect && <IconGripVertical size={14} /> : <IconChevronRight size={14} />}
      </span>
      <span className={styles.type} aria-hidden="true">
        {TYPES[node.type]}
      </span>
      <span className={styles.name}>{node.label}</span>
      <VisuallyHidden>, {node.type},</VisuallyHidden>
      <RowEnd node={node} isActive={isActive} />
      {isUsed && <VisuallyHidden>, used</VisuallyHidden>}
    </div>
  );
});

function RowEnd({ node, isActive }: { node: TreeNode; isActive: boolean }) {
  if (node.children.length === 0)
    return (
      <>
        {node.masked ? (
          <span
            className={styles.count}
            title="The value was not stored. It is kept from the next event on, once the saved mapping reads it."
          >
            masked
          </span>
        ) : (
          <span className={styles.sample}>{node.sample || 'empty'}</span>
        )}
        {node.unsigned && (
          <span className={styles.count} title="The integration's signature does not cover this value">
            unsigned
          </span>
        )}
      </>
    );
  const named = node.children.filter(({ label }) => label !== 'by number').length;
  if (hasNamedValues(node)) return <span className={styles.count}>· {named} named values</span>;
  return <SplitOffer node={node} isActive={isActive} />;
}

/** The button next to a list that creates one alert for each of its elements. */
function SplitOffer({ node, isActive }: { node: TreeNode; isActive: boolean }) {
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
