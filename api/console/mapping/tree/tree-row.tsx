import { IconChevronRight, IconGripVertical } from '@tabler/icons-react';
import { type KeyboardEvent, useRef } from 'react';
import { useBench } from '../bench.tsx';
import { hasNamedValues, type TreeNode } from '../model/field-tree.ts';
import type { TreeRow } from '../model/tree-rows.ts';
import { SplitOffer } from './split-offer.tsx';
import own from './tree.module.css';
import { useDragField } from './use-drag-field.ts';

interface TreeRowProps {
  row: TreeRow;
  isActive: boolean;
  isPicked: boolean;
  isUsed: boolean;
  toggle(): void;
  activate(): void;
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
export function TreeRowView({ row, isActive, isPicked, isUsed, toggle, activate }: TreeRowProps) {
  const { picking, mayWrite } = useBench();
  const { node, level, expanded } = row;
  const element = useRef<HTMLDivElement>(null);
  const field = { path: node.path, label: node.label };
  const mayPick = mayWrite && node.pickable;
  useDragField(element, field, mayPick);
  const pick = () => {
    if (!mayPick || !element.current) return;
    if (isPicked) picking.cancel();
    else picking.pick(field, element.current);
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
      className={own.row}
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
      onClick={expanded === null ? pick : toggle}
      onFocus={activate}
      onKeyDown={onKeyDown}
    >
      <span className={own.sign} data-expanded={expanded ?? undefined} aria-hidden="true">
        {expanded === null ? mayPick && <IconGripVertical size={14} /> : <IconChevronRight size={14} />}
      </span>
      <span className={own.type}>{TYPES[node.type]}</span>
      <span className={own.name}>{node.label}</span>
      <Beside node={node} isActive={isActive} />
    </div>
  );
}

function Beside({ node, isActive }: { node: TreeNode; isActive: boolean }) {
  if (node.children.length === 0) return <span className={own.sample}>{node.sample || 'empty'}</span>;
  const named = node.children.filter(({ label }) => label !== 'by number').length;
  if (hasNamedValues(node)) return <span className={own.count}>· {named} named values</span>;
  return <SplitOffer node={node} isActive={isActive} />;
}

function spoken({ node, expanded }: TreeRow, isUsed: boolean): string {
  const value = expanded === null ? node.sample || 'empty' : '';
  return [node.label, node.type, value, isUsed ? 'used' : ''].filter(Boolean).join(', ');
}
