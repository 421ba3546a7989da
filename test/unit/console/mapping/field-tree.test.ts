import { expect, test } from '@jest/globals';
import {
  buildTree,
  hasNamedValues,
  isSplittable,
  type TreeNode,
} from '../../../../api/console/mapping/model/field-tree.ts';
import { countNodes, isInitiallyOpen, visibleRows } from '../../../../api/console/mapping/model/tree-rows.ts';
import { compileMapping, fieldTree, parsePayload } from '../../../../workers/mapping/index.js';

/** The tree of a payload as the API gives its fields. */
function treeOf(payload: unknown, mapping: unknown = { fields: {} }): TreeNode[] {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const parsed = parsePayload(text);
  const compiled = compileMapping(mapping);
  if (!('value' in parsed) || !('mapping' in compiled)) throw new Error('bad test');
  return buildTree(fieldTree(parsed.value, compiled.mapping).nodes);
}

const shape = (tree: readonly TreeNode[]): unknown[] =>
  tree.map(({ label, children }) => (children.length > 0 ? [label, ...shape(children)] : label));

test('the fields of an object stand at the top, each in what it lies in', () => {
  expect(shape(treeOf({ title: 'x', org: { name: 'Acme', ids: [1, 2] } }))).toEqual([
    'title',
    ['org', 'name', ['ids', '0', '1']],
  ]);
});

test('keys of any kind keep their own names', () => {
  const tree = treeOf('{"a.b":{"c]":1},"<img onerror>":2,"{{#x}}":3,"__proto__":4,"a":{"b":5},"a/b":6,"":7}');
  expect(shape(tree)).toEqual([['a.b', 'c]'], '<img onerror>', '{{#x}}', '__proto__', ['a', 'b'], 'a/b', '']);
});

test('a list of names and values is read by name; its numbers are put away', () => {
  const [tags] = treeOf({ tags: ['env:prod', 'team:a'] });
  expect(shape([tags as TreeNode])).toEqual([['tags', 'env', 'team', ['by number', '0', '1']]]);
  expect(hasNamedValues(tags as TreeNode)).toBe(true);
});

test('under a split the item stands beside the payload', () => {
  const tree = treeOf({ alerts: [{ name: 'x' }] }, { split: 'alerts', fields: {} });
  expect(tree.map(({ label }) => label)).toEqual(['item', 'webhook']);
  expect(tree[0]?.children[0]?.path).toBe('item.name');
});

test('a list of objects can be split, wherever it is, but not in an element of another', () => {
  const tree = treeOf({ alerts: [{ tags: [{ a: 1 }] }], ids: [1], none: [], deep: { list: [{}] } });
  const found: string[] = [];
  const look = (nodes: readonly TreeNode[]): void =>
    nodes.forEach((node) => {
      if (isSplittable(node)) found.push(node.path);
      look(node.children);
    });
  look(tree);
  expect(found).toEqual(['webhook.alerts', 'webhook.deep.list']);
  expect(
    treeOf([{ a: 1 }])
      .filter(isSplittable)
      .map(({ path }) => path),
  ).toEqual(['webhook']);
});

test('rows tell their level, place and whether they are open', () => {
  const tree = treeOf({ org: { name: 'Acme', id: 1 }, title: 'x' });
  const rows = visibleRows(tree, () => true);
  expect(
    rows.map(({ node, level, expanded, position, siblings }) => [
      node.label,
      level,
      expanded,
      position,
      siblings,
    ]),
  ).toEqual([
    ['org', 1, true, 1, 2],
    ['name', 2, null, 1, 2],
    ['id', 2, null, 2, 2],
    ['title', 1, null, 2, 2],
  ]);
  expect(visibleRows(tree, () => false).map(({ node }) => node.label)).toEqual(['org', 'title']);
});

test('a search shows what is called so or says so, and what that lies in', () => {
  const tree = treeOf({ org: { name: 'Acme', id: 1 }, title: 'x' });
  const found = (search: string) => visibleRows(tree, () => false, search).map(({ node }) => node.label);
  expect(found('NAME')).toEqual(['org', 'name']);
  expect(found('acme')).toEqual(['org', 'name']);
  expect(found('nothing')).toEqual([]);
});

test('a small payload is open at first, of a large one its beginnings', () => {
  const open = (tree: readonly TreeNode[]) =>
    visibleRows(tree, (node, level) => isInitiallyOpen(node, level, countNodes(tree))).length;
  expect(open(treeOf({ a: { b: { c: [1] } } }))).toBe(4);
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, { a: { b: { c: 1 } } }]));
  expect(open(treeOf(many))).toBe(300);
});

test('names and values in a text lie in that text', () => {
  expect(shape(treeOf('{"tags":"env:prod,team:db","x":1}'))).toEqual([['tags', 'env', 'team'], 'x']);
});
