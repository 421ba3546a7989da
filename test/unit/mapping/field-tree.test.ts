import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type FieldNode, fieldTree, parsePayload } from '../../../workers/mapping/index.js';
import { bytes, compiled, run, title } from './mapping.js';

const tree = (payload: unknown, mapping?: object) => {
  const parsed = parsePayload(bytes(payload));
  if ('error' in parsed) throw new Error(parsed.error);
  return fieldTree(parsed.value, mapping ? compiled(mapping) : null);
};

test('lists every field with its type and rendered value, depth first', () => {
  const payload = {
    name: 'Lu',
    'a.b': 0,
    gone: null,
    ok: false,
    list: [{ id: 1 }],
    none: [],
    tags: ['env:x', 'env:y'],
  };
  const rows = tree(payload).nodes.map(({ path, type, sample, pickable }) => [path, type, sample, pickable]);
  expect(rows).toEqual([
    ['webhook', 'object', JSON.stringify(payload).slice(0, 120), true],
    ['webhook.name', 'text', 'Lu', true],
    ['webhook["a.b"]', 'number', '0', true],
    ['webhook.gone', 'null', '', false],
    ['webhook.ok', 'boolean', 'false', true],
    ['webhook.list', 'list', '[{"id":1}]', true],
    ['webhook.list[0]', 'object', '{"id":1}', true],
    ['webhook.list[0].id', 'number', '1', true],
    ['webhook.none', 'list', '[]', false],
    ['webhook.tags', 'list', 'env:x, env:y', true],
    ['webhook.tags.env', 'text', 'x', true],
    ['webhook.tags[0]', 'text', 'env:x', true],
    ['webhook.tags[1]', 'text', 'env:y', true],
  ]);
});

test('shows names and values that a text lists, but not those in prose', () => {
  const payload = {
    tags: 'env:production, team = storage, plain, env:other',
    one: 'env:production',
    prose: 'The disk of web-1 is full: 90%, see the wiki: http://x',
  };
  const rows = tree(payload).nodes.map(({ path, sample }) => [path, sample]);
  expect(rows.slice(1)).toEqual([
    ['webhook.tags', payload.tags],
    ['webhook.tags.env', 'production'],
    ['webhook.tags.team', 'storage'],
    ['webhook.one', payload.one],
    ['webhook.prose', payload.prose],
  ]);
});

test('shows a payload as the item of a split that takes it whole', () => {
  const { nodes } = tree({ name: 'a' }, { split: 'messages|webhook', fields: {} });
  const paths = nodes.map(({ path }) => path);
  expect(paths).toEqual(['item', 'item.name', 'webhook', 'webhook.name']);
});

test('shows the first item of a split, and texts that are expanded', () => {
  const mapping = { split: 'Message.alerts', expandJson: ['Message'], fields: {} };
  const { nodes } = tree({ Message: '{"alerts":[{"id":12345678901234567890}]}' }, mapping);
  expect(nodes.map(({ path, sample }) => [path, sample]).slice(0, 2)).toEqual([
    ['item', '{"id":12345678901234567890}'],
    ['item.id', '12345678901234567890'],
  ]);
  expect(nodes.map(({ path }) => path)).toContain('webhook.Message.alerts[0].id');
});

test('stops at 20,000 fields and reports that it is truncated', () => {
  const payload = Object.fromEntries(Array.from({ length: 21_000 }, (_, i) => [`k${i}`, i]));
  expect(tree(payload)).toMatchObject({ truncated: true, nodes: { length: 20_000 } });
  expect(tree({ list: [1, 2, 3, 4, 5, 6] })).toMatchObject({ truncated: true, nodes: { length: 7 } });
  expect(tree({ list: [1, 2, 3, 4, 5] }).truncated).toBe(false);
});

describe('every path in the tree renders the value that the tree shows', () => {
  const key = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom(
      '__proto__',
      'constructor',
      'a.b',
      'a b',
      '}}',
      '{{',
      '"',
      "'",
      '0',
      '',
      '#x',
      '[0]',
      'env',
      '\n',
      '🙂',
    ),
  );
  const { payload } = fc.letrec((tie) => ({
    payload: fc.oneof({ maxDepth: 4 }, tie('leaf'), tie('list'), tie('object'), tie('named')),
    leaf: fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null)),
    list: fc.array(tie('payload'), { maxLength: 6 }),
    object: fc.dictionary(key, tie('payload'), { maxKeys: 5 }),
    named: fc.array(
      fc.oneof(fc.tuple(key, tie('payload')), fc.record({ name: key, value: tie('payload') }), fc.string()),
      {
        maxLength: 4,
      },
    ),
  }));

  const renders = (payload: unknown, { path, sample }: FieldNode) => {
    const result = title(`{{${path}}}`, payload);
    expect(result).toMatchObject({ result: 'resolved' });
    // Control characters at the end are blank for a field, and the title may have been cut.
    const shown = sample
      .replace(/\p{Surrogate}/gu, '\ufffd')
      .slice(0, 119)
      .trimEnd();
    expect(result.value?.startsWith(shown)).toBe(true);
  };

  test('for any payload', () => {
    const property = fc.property(payload, (payload) => {
      for (const node of tree(payload).nodes) if (node.pickable) renders(payload, node);
    });
    fc.assert(property, { numRuns: 300 });
  });

  test('for any item', () => {
    const property = fc.property(payload, (item) => {
      const mapping = { split: 'list', fields: {} };
      const nodes = tree({ list: [item] }, mapping).nodes.filter(({ path }) => path.startsWith('item'));
      for (const { path, pickable } of nodes) {
        if (!pickable) continue;
        const { alerts } = run(
          { ...mapping, fields: { title: { template: `{{${path}}}` } } },
          { list: [item] },
        );
        expect(alerts[0]?.fields.title.result).toBe('resolved');
      }
    });
    fc.assert(property, { numRuns: 100 });
  });
});
