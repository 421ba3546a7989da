import { hasNamedValues, type TreeNode } from './field-tree.ts';

/** A visible row of the tree. */
export interface TreeRow {
  node: TreeNode;
  /** Starts at 1. */
  level: number;
  /** Null if the node has no children. */
  expanded: boolean | null;
  parent: string | null;
  position: number;
  siblings: number;
}

/** Payloads with at most this many fields are shown fully expanded at first. */
const MAX_EXPANDED_FIELDS = 60;

/** Returns the visible rows from top to bottom. A search returns the matches and their ancestors, all expanded. */
export function visibleRows(
  tree: readonly TreeNode[],
  isOpen: (node: TreeNode, level: number) => boolean,
  search = '',
): TreeRow[] {
  const query = search.trim().toLowerCase();
  const found = query === '' ? null : nodesWithMatch(tree, query);
  const rows: TreeRow[] = [];
  const add = (nodes: readonly TreeNode[], level: number, parent: string | null) => {
    const shown = found ? nodes.filter((node) => found.has(node)) : nodes;
    for (const [index, node] of shown.entries()) {
      const expanded = node.children.length === 0 ? null : found !== null || isOpen(node, level);
      rows.push({ node, level, expanded, parent, position: index + 1, siblings: shown.length });
      if (expanded) add(node.children, level + 1, node.path);
    }
  };
  add(tree, 1, null);
  return rows;
}

/** Returns the nodes that match or have a match below them. Reads each node once: there may be thousands. */
function nodesWithMatch(tree: readonly TreeNode[], query: string): ReadonlySet<TreeNode> {
  const found = new Set<TreeNode>();
  const look = (nodes: readonly TreeNode[]): boolean => {
    const before = found.size;
    for (const node of nodes) if (look(node.children) || matches(node, query)) found.add(node);
    return found.size > before;
  };
  look(tree);
  return found;
}

const matches = ({ label, sample, path, children }: TreeNode, query: string): boolean =>
  `${label}\n${path}${children.length === 0 ? `\n${sample}` : ''}`.toLowerCase().includes(query);

/** Returns whether a branch is open at first: all of them in a small payload, only the top levels in a large one. */
export function isInitiallyOpen(node: TreeNode, level: number, fields: number): boolean {
  if (node.label === 'by number') return false;
  if (node.type === 'object') return fields <= MAX_EXPANDED_FIELDS || level <= 2;
  return hasNamedValues(node) || fields <= MAX_EXPANDED_FIELDS;
}

export const countNodes = (tree: readonly TreeNode[]): number =>
  tree.reduce((sum, { children }) => sum + 1 + countNodes(children), 0);
