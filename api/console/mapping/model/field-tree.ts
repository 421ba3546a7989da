import type { Preview } from '../../http/types.ts';

export type FieldNode = NonNullable<Preview['fields']>['nodes'][number];

/** A place in the payload with what is in it. */
export interface TreeNode extends FieldNode {
  /** The last step of its path, as a person reads it. */
  label: string;
  children: TreeNode[];
}

/**
 * The payload's fields, which come as a list with parents before what is in them, as a tree. Where a list of names and values can
 * be read by name, its elements by number are put away in a branch of their own.
 */
export function buildTree(nodes: readonly FieldNode[]): TreeNode[] {
  const roots: TreeNode[] = [];
  const open: TreeNode[] = [];
  for (const node of nodes) {
    while (open.length > 0 && !isWithin(node.path, open.at(-1) as TreeNode)) open.pop();
    const parent = open.at(-1);
    const made: TreeNode = { ...node, label: labelIn(node.path, parent), children: [] };
    (parent?.children ?? roots).push(made);
    open.push(made);
  }
  const tidied = roots.map(putNumbersAway);
  return tidied.length === 1 && tidied[0]?.type === 'object' ? tidied[0].children : tidied;
}

function isWithin(path: string, parent: TreeNode): boolean {
  // A text may be a list of names and values.
  if (parent.type !== 'list' && parent.type !== 'object' && parent.type !== 'text') return false;
  const next = path[parent.path.length];
  return path.startsWith(parent.path) && (next === '.' || next === '[');
}

function labelIn(path: string, parent: TreeNode | undefined): string {
  if (!parent) return path;
  const step = path.slice(parent.path.length);
  if (step.startsWith('.')) return step.slice(1);
  const inner = step.slice(1, -1);
  return inner.startsWith('"') ? (JSON.parse(inner) as string) : inner;
}

function putNumbersAway(node: TreeNode): TreeNode {
  const children = node.children.map(putNumbersAway);
  const numbered = children.filter((child) => isNumbered(child, node));
  if (node.type !== 'list' || numbered.length === children.length || numbered.length === 0) {
    return { ...node, children };
  }
  const away: TreeNode = {
    path: `${node.path}[]`,
    type: 'list',
    sample: '',
    pickable: false,
    label: 'by number',
    children: numbered,
  };
  return { ...node, children: [...children.filter((child) => !numbered.includes(child)), away] };
}

const isNumbered = ({ path }: TreeNode, parent: TreeNode): boolean =>
  /^\[\d+\]$/.test(path.slice(parent.path.length));

/** Whether its elements are named values: `tags.env` of `["env:production"]`. */
export const hasNamedValues = (node: TreeNode): boolean =>
  node.type === 'list' &&
  node.children.some((child) => !isNumbered(child, node) && child.label !== 'by number');

/** A list in the payload itself, not in an element of another, whose elements are objects. */
export const isSplittable = ({ path, type, children }: TreeNode): boolean =>
  type === 'list' && !/^item\b|\[\d+\]/.test(path) && children[0]?.type === 'object';
