import { IconChevronRight, IconGripVertical } from '@tabler/icons-react';
import { type KeyboardEvent, memo, useRef } from 'react';
import { useDragField } from '../insert/use-drag-field.ts';
import { hasNamedValues, type TreeNode } from '../model/field-tree.ts';
import type { TreeRow } from '../model/tree-rows.ts';
import { SplitOffer } from './split-offer.tsx';
import styles from './tree.module.css';

interface TreeRowProps {
  row: TreeRow;
  isActive: boolean;
  isPicked: boolean;
  isUsed: boolean;
  mayPick: boolean;
  actions: TreeActions;
}

/** What rows ask for; the same object as long as the tree is there, so that a row is made anew only when it has changed. */
export interface TreeActions {
  toggle(row: TreeRow): void;
  activate(row: TreeRow): void;
  /** Picks it, or takes that back. */
  pick(row: TreeRow, element: HTMLElement): void;
}

const TYPES: Record<TreeNode['type'], string> = {
  text: 'str',
  number: 'num',
  boolean: 'bool',
  null: 'null',
  list: 'list',
  object: 'obj',
};

/** A field of the payload: dragged, or picked by a click or Enter; a branch is opened by a click. */
export const TreeRowView = memo((props: TreeRowProps) => {
  const { row, isActive, isPicked, isUsed, mayPick, actions } = props;
  const { node, level, expanded } = row;
  const element = useRef<HTMLDivElement>(null);
  useDragField(element, { path: node.path, label: node.label }, mayPick);
  const pick = () => {
    if (mayPick && element.current) actions.pick(row, element.current);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== element.current || (event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    pick();
  };
  return (
    <div
      ref={element}
      role="treeitem"
      className={styles.row}
      aria-level={level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-selected={isPicked}
      aria-expanded={expanded ?? undefined}
      aria-label={spoken(row, isUsed)}
      tabIndex={isActive ? 0 : -1}
      data-path={node.path}
      data-used={isUsed}
      data-pickable={mayPick}
      style={{ paddingLeft: `${(level - 1) * 0.9}rem` }}
      onClick={expanded === null ? pick : () => actions.toggle(row)}
      onFocus={() => actions.activate(row)}
      onKeyDown={onKeyDown}
    >
      <span className={styles.sign} data-expanded={expanded ?? undefined} aria-hidden="true">
        {expanded === null ? mayPick && <IconGripVertical size={14} /> : <IconChevronRight size={14} />}
      </span>
      <span className={styles.type}>{TYPES[node.type]}</span>
      <span className={styles.name}>{node.label}</span>
      <Beside node={node} isActive={isActive} />
    </div>
  );
});

function Beside({ node, isActive }: { node: TreeNode; isActive: boolean }) {
  if (node.children.length === 0) return <span className={styles.sample}>{node.sample || 'empty'}</span>;
  const named = node.children.filter(({ label }) => label !== 'by number').length;
  if (hasNamedValues(node)) return <span className={styles.count}>· {named} named values</span>;
  return <SplitOffer node={node} isActive={isActive} />;
}

function spoken({ node, expanded }: TreeRow, isUsed: boolean): string {
  const value = expanded === null ? node.sample || 'empty' : '';
  return [node.label, node.type, value, isUsed ? 'used' : ''].filter(Boolean).join(', ');
}
