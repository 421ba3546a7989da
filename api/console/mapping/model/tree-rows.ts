import { hasNamedValues, type TreeNode } from './field-tree.ts';

/** A line of the tree as it is shown. */
export interface TreeRow {
  node: TreeNode;
  /** From 1. */
  level: number;
  /** null: there is nothing in it. */
  expanded: boolean | null;
  parent: string | null;
  position: number;
  siblings: number;
}

/** Payloads of up to so many fields are shown whole at first. */
const FEW = 60;

/** The lines to show, top to bottom. With a search: what matches and what it lies in, all open. */
export function visibleRows(
  tree: readonly TreeNode[],
  isOpen: (node: TreeNode, level: number) => boolean,
  search = '',
): TreeRow[] {
  const wanted = search.trim().toLowerCase();
  const rows: TreeRow[] = [];
  const add = (nodes: readonly TreeNode[], level: number, parent: string | null) => {
    const shown = wanted ? nodes.filter((node) => holds(node, wanted)) : nodes;
    for (const [index, node] of shown.entries()) {
      const expanded = node.children.length === 0 ? null : wanted !== '' || isOpen(node, level);
      rows.push({ node, level, expanded, parent, position: index + 1, siblings: shown.length });
      if (expanded) add(node.children, level + 1, node.path);
    }
  };
  add(tree, 1, null);
  return rows;
}

const matches = ({ label, sample, path, children }: TreeNode, wanted: string): boolean =>
  `${label}\n${path}${children.length === 0 ? `\n${sample}` : ''}`.toLowerCase().includes(wanted);

const holds = (node: TreeNode, wanted: string): boolean =>
  matches(node, wanted) || node.children.some((child) => holds(child, wanted));

/** Whether a branch is open until somebody says otherwise: little is shown whole, of much the beginnings. */
export function isOpenAtFirst(node: TreeNode, level: number, fields: number): boolean {
  if (node.label === 'by number') return false;
  if (node.type === 'object') return fields <= FEW || level <= 2;
  return hasNamedValues(node) || fields <= FEW;
}

export const countNodes = (tree: readonly TreeNode[]): number =>
  tree.reduce((sum, { children }) => sum + 1 + countNodes(children), 0);
