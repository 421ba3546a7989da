import type { Preview } from '../../http/types.ts';

export type FieldNode = NonNullable<Preview['fields']>['nodes'][number];

/** A node of the payload with its children. */
export interface TreeNode extends FieldNode {
  /** The last step of the path, as shown to the user. */
  label: string;
  children: TreeNode[];
}

/**
 * Builds a tree from the list of the payload's fields, in which parents precede their children. If a list of name-value
 * pairs can be read by name, its numbered elements move to a separate branch labeled "by number".
 */
export function buildTree(nodes: readonly FieldNode[]): TreeNode[] {
  const roots: TreeNode[] = [];
  const open: TreeNode[] = [];
  for (const node of nodes) {
    while (open.length > 0 && !isWithin(node.path, open.at(-1) as TreeNode)) open.pop();
    const parent = open.at(-1);
    const added: TreeNode = { ...node, label: labelIn(node.path, parent), children: [] };
    (parent?.children ?? roots).push(added);
    open.push(added);
  }
  const all = roots.map(groupNumbered);
  const lookups = all.filter(({ path }) => path.startsWith('lookup.'));
  const grouped = all.filter((root) => !lookups.includes(root));
  const [first, ...others] = grouped;
  // The payload needs no branch of its own next to the request.
  const isAlone = first?.type === 'object' && others.every(({ path }) => path === 'request');
  return [...lookups, ...(isAlone ? [...first.children, ...others] : grouped)];
}

function isWithin(path: string, parent: TreeNode): boolean {
  // A text can hold name-value pairs.
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

function groupNumbered(node: TreeNode): TreeNode {
  const children = node.children.map(groupNumbered);
  const numbered = children.filter((child) => isNumbered(child, node));
  if (node.type !== 'list' || numbered.length === children.length || numbered.length === 0) {
    return { ...node, children };
  }
  const group: TreeNode = {
    path: `${node.path}[]`,
    type: 'list',
    sample: '',
    pickable: false,
    label: 'by number',
    children: numbered,
  };
  return { ...node, children: [...children.filter((child) => !numbered.includes(child)), group] };
}

const isNumbered = ({ path }: TreeNode, parent: TreeNode): boolean =>
  /^\[\d+\]$/.test(path.slice(parent.path.length));

/** Returns whether the elements of a list can be read by name, such as `tags.env` of `["env:production"]`. */
export const hasNamedValues = (node: TreeNode): boolean =>
  node.type === 'list' &&
  node.children.some((child) => !isNumbered(child, node) && child.label !== 'by number');

/** Returns whether a node is a list of objects that is not inside an element of another list. */
export const isSplittable = ({ path, type, children }: TreeNode): boolean =>
  type === 'list' && !/^item\b|\[\d+\]/.test(path) && children[0]?.type === 'object';
