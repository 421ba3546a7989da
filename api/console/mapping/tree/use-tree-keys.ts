import { type KeyboardEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import type { TreeNode } from '../model/field-tree.ts';
import type { TreeRow } from '../model/tree-rows.ts';

/** Keyboard navigation as in the tree view pattern of the WAI-ARIA practices. One row at a time is in the tab order. */
export function useTreeKeys(rows: readonly TreeRow[], toggle: (node: TreeNode, level: number) => void) {
  const [activePath, setActivePath] = useState<string | null>(null);
  const found = activePath === null ? 0 : rows.findIndex(({ node }) => node.path === activePath);
  const at = Math.max(0, found);
  const row = rows[at];
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = step(event.key, rows, at);
    if (next === 'toggle') toggle(row.node, row.level);
    else if (next === null) return;
    else focusRow(event.currentTarget, setActivePath, next);
    event.preventDefault();
  };
  return { active: row?.node.path ?? null, at, activate: setActivePath, onKeyDown };
}

/** Returns what a key does: move to a row, toggle this one, or nothing. */
function step(key: string, rows: readonly TreeRow[], at: number): TreeRow | 'toggle' | null {
  const row = rows[at] as TreeRow;
  if (key === 'ArrowDown') return rows[at + 1] ?? null;
  if (key === 'ArrowUp') return rows[at - 1] ?? null;
  if (key === 'Home') return rows[0] ?? null;
  if (key === 'End') return rows.at(-1) ?? null;
  if (key === 'ArrowRight')
    return row.expanded === false ? 'toggle' : row.expanded ? (rows[at + 1] ?? null) : null;
  if (key !== 'ArrowLeft') return null;
  return row.expanded ? 'toggle' : (rows.find(({ node }) => node.path === row.parent) ?? null);
}

function focusRow(tree: HTMLElement, activate: (path: string) => void, { node }: TreeRow): void {
  // Only the rows in view and the active one are in the page.
  flushSync(() => activate(node.path));
  const rows = tree.querySelectorAll<HTMLElement>('[role="treeitem"]');
  [...rows].find((element) => element.dataset.path === node.path)?.focus();
}
