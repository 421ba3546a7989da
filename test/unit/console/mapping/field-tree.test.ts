import { expect, test } from '@jest/globals';
import {
  buildTree,
  hasNamedValues,
  isSplittable,
  type TreeNode,
} from '../../../../api/console/mapping/model/field-tree.ts';
import { countNodes, isInitiallyOpen, visibleRows } from '../../../../api/console/mapping/model/tree-rows.ts';
import { compileMapping, fieldTree, parsePayload } from '../../../../workers/mapping/index.js';

/** Builds the tree of a payload from its fields as the API returns them. */
function treeOf(payload: unknown, mapping: unknown = { fields: {} }): TreeNode[] {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const parsed = parsePayload(text);
  const compiled = compileMapping(mapping);
  if (!('value' in parsed) || !('mapping' in compiled)) throw new Error('bad test');
  return buildTree(fieldTree(parsed.value, compiled.mapping).nodes);
}

const shape = (tree: readonly TreeNode[]): unknown[] =>
  tree.map(({ label, children }) => (children.length > 0 ? [label, ...shape(children)] : label));

test('the fields of the payload are at the top level, nested fields below their parents', () => {
  expect(shape(treeOf({ title: 'x', org: { name: 'Acme', ids: [1, 2] } }))).toEqual([
    'title',
    ['org', 'name', ['ids', '0', '1']],
  ]);
});

test('unusual keys keep their names', () => {
  const tree = treeOf('{"a.b":{"c]":1},"<img onerror>":2,"{{#x}}":3,"__proto__":4,"a":{"b":5},"a/b":6,"":7}');
  expect(shape(tree)).toEqual([['a.b', 'c]'], '<img onerror>', '{{#x}}', '__proto__', ['a', 'b'], 'a/b', '']);
});

test('a list of name-value pairs is read by name; its numbered elements are grouped', () => {
  const [tags] = treeOf({ tags: ['env:prod', 'team:a'] });
  expect(shape([tags as TreeNode])).toEqual([['tags', 'env', 'team', ['by number', '0', '1']]]);
  expect(hasNamedValues(tags as TreeNode)).toBe(true);
});

test('with a split, the item is listed next to the payload', () => {
  const tree = treeOf({ alerts: [{ name: 'x' }] }, { split: 'alerts', fields: {} });
  expect(tree.map(({ label }) => label)).toEqual(['item', 'webhook']);
  expect(tree[0]?.children[0]?.path).toBe('item.name');
});

test('a list of objects can be split unless it is inside an element of another list', () => {
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

test('rows have their level, position and whether they are expanded', () => {
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

test('a search shows matching names and values with their ancestors', () => {
  const tree = treeOf({ org: { name: 'Acme', id: 1 }, title: 'x' });
  const found = (search: string) => visibleRows(tree, () => false, search).map(({ node }) => node.label);
  expect(found('NAME')).toEqual(['org', 'name']);
  expect(found('acme')).toEqual(['org', 'name']);
  expect(found('nothing')).toEqual([]);
});

test('a small payload is fully expanded at first, a large one only at its top levels', () => {
  const open = (tree: readonly TreeNode[]) =>
    visibleRows(tree, (node, level) => isInitiallyOpen(node, level, countNodes(tree))).length;
  expect(open(treeOf({ a: { b: { c: [1] } } }))).toBe(4);
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, { a: { b: { c: 1 } } }]));
  expect(open(treeOf(many))).toBe(300);
});

test('name-value pairs inside a text are children of that text', () => {
  expect(shape(treeOf('{"tags":"env:prod,team:db","x":1}'))).toEqual([['tags', 'env', 'team'], 'x']);
});
