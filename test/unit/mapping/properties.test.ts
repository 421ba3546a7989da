import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  compileMapping,
  type Mapping,
  type Normalized,
  normalize,
  normalizeValue,
} from '../../../workers/mapping/index.js';
import { expectQuick } from '../../support/cpu-time.js';
import { bytes, compiled } from './mapping.js';

const evil = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'prototype', 'length'];

describe('any template', () => {
  const piece = fc.constantFrom(
    ...['{{', '}}', '{{{', '}}}', '#', '/', '^', '!', '&', '>', '=', '|', '.', '[', ']', '"', "'", ' ', '\n'],
    ...[
      'webhook',
      'item',
      'a',
      'b',
      '0',
      '{{webhook.a}}',
      '{{webhook.c|webhook.a}}',
      '{{#webhook.l}}',
      '{{/webhook.l}}',
      '{{.}}',
      ...evil,
    ],
  );
  const template = fc.oneof(
    fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
    fc.string(),
  );
  const payload = { a: 'x', l: [1, { a: 2 }, ['b', 'c'], 'a:b'], b: { '0': null } };

  test('is rejected with a position or renders, and never throws', () => {
    const property = fc.property(template, fc.boolean(), (template, split) => {
      const input = { split: split ? 'l' : null, fields: { description: { template } } };
      const result = compileMapping(input);
      if ('errors' in result)
        expect(result.errors[0]).toMatchObject({ field: 'fields.description.template' });
      else expectWhole(normalizeValue(result.mapping, payload));
    });
    fc.assert(property, { numRuns: 700 });
  });
});

describe('any payload', () => {
  const mapping: Mapping = {
    split: 'alerts',
    expandJson: ['Message', 'alerts[0]'],
    fields: {
      title: { template: '{{webhook.a}}{{item.a.b[0]}}{{item}}' },
      severity: { template: '{{#item.tags}}{{env}}{{.}}{{/item.tags}}', values: { a: 'b' } },
      description: { template: '{{webhook.tags.env.a.b|item.a.Message[3]}}{{webhook}}', default: 'none' },
      source: { template: '{{item.constructor}}{{item.__proto__.x}}' },
    },
    custom: { team: { template: '{{item.Message.a}}' } },
  };
  const key = fc.constantFrom('alerts', 'Message', 'tags', 'a', 'b', 'name', 'value', 'env', ...evil);
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 5 },
      fc.string(),
      fc.json(),
      fc.double(),
      fc.bigInt(),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('json'), { maxLength: 5 }),
    object: fc.dictionary(key, tie('json'), { maxKeys: 6 }),
  }));
  const text = json.map((value) =>
    JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `#${inner}#` : inner)).replace(
      /"#(-?\d+)#"/g,
      '$1',
    ),
  );

  test.each([
    ['split', mapping],
    ['whole', { ...mapping, split: null, fields: { title: { template: '{{webhook.a.b}}' } }, custom: {} }],
  ])('it becomes alerts or an error, and never throws: %s', (_, mapping) => {
    const ready = compiled(mapping);
    const property = fc.property(fc.oneof(text, fc.string()), (text) => {
      expectWhole(normalize(ready, Buffer.from(text)));
      expectWhole(normalize(null, Buffer.from(text)));
    });
    fc.assert(property, { numRuns: 400 });
  });

  test('bytes that are not text are not JSON', () => {
    const ready = compiled(mapping);
    const property = fc.property(fc.uint8Array(), (bytes) => expectWhole(normalize(ready, bytes)));
    fc.assert(property, { numRuns: 300 });
  });
});

function expectWhole({ eventState, alerts, faults }: Normalized): void {
  expect(eventState === 'failed').toBe(faults.length > 0);
  for (const { state, fields, custom, faults } of alerts) {
    if (state === 'incomplete') expect(faults.length).toBeGreaterThan(0);
    for (const { value, result, missing } of [...Object.values(fields), ...Object.values(custom)]) {
      // Suggestions are computed when they are read.
      for (const { nearest } of missing) expect(nearest).not.toBe('');
      if (result !== 'missing') expect(value).toMatch(/\S/);
      expect(value ?? '').not.toMatch(/\[object|function|native code/);
    }
  }
}

describe('no prototype is read', () => {
  test.each(evil)('%s', (name) => {
    const paths = [
      `webhook.${name}`,
      `webhook.text.${name}`,
      `webhook.list.${name}`,
      `webhook.o.${name}.${name}`,
    ];
    for (const path of [...paths, `webhook["${name}"]`, `webhook.number.${name}`]) {
      const ready = compiled({ fields: { title: { template: `{{${path}}}{{#${path}}}x{{/${path}}}` } } });
      const { alerts } = normalizeValue(ready, { text: 'abc', list: [1], o: {}, number: 1 });
      expect(alerts[0]?.fields.title).toMatchObject({ value: null, missing: [{ path, nearest: null }] });
    }
  });

  test.each(evil)('unless the payload itself has a %s', (name) => {
    const payload = Buffer.from(`{"o":{"${name}":"own"},"n":12345678901234567890}`);
    const { alerts } = normalize(
      compiled({ fields: { title: { template: `{{webhook.o.${name}}}` } } }),
      payload,
    );
    expect(alerts[0]?.fields.title.value).toBe('own');
    expect(({} as Record<string, unknown>).own).toBeUndefined();
  });
});

/** Builds keys such that a path of this many `a` can be read in thousands of ways. */
const dotted = (levels: number): object =>
  levels <= 0 ? { x: 1 } : { a: dotted(levels - 1), 'a.a': dotted(levels - 2) };

describe('nothing takes long', () => {
  const everyField = (template: string): Mapping => ({
    split: 'l',
    fields: { title: { template }, description: { template }, source: { template } },
    custom: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}`, { template }])),
  });
  const list = Array.from({ length: 1_000 }, (_, i) => i);
  const wide = Object.fromEntries(Array.from({ length: 90_000 }, (_, i) => [`k${i}`, 1]));
  const inner = Array(6).fill(null);
  const three = '{{#webhook.l}}{{#webhook.l}}{{#webhook.l}}{{.}}{{/webhook.l}}{{/webhook.l}}{{/webhook.l}}';

  test.each<[string, string, object]>([
    ['three nested sections over 300 elements', three, { l: list.slice(0, 300) }],
    ['three nested sections over 1,000 elements', three, { l: list }],
    ['1 MiB as JSON, a thousand times', '{{webhook}}', { l: list, text: 'x'.repeat(1_000_000) }],
    ['1 MiB of text, a thousand times', '{{webhook.text}}', { l: list, text: 'x'.repeat(1_000_000) }],
    ['1 MiB of blanks, a thousand times', '{{webhook.text}}', { l: list, text: ' '.repeat(1_000_000) }],
    ['1 MiB of half pairs', '{{webhook.text}}', { l: list, text: '{'.repeat(500_000) }],
    ['90,000 keys, a thousand times', '{{webhook.wide}}', { l: list, wide }],
    [
      '90,000 keys, none of which matches',
      '{{webhook.wide.x1}}{{webhook.wide.x2}}{{webhook.wide.x3}}',
      { l: list, wide },
    ],
    ['names in a list of 90,000', '{{webhook.names.zzz}}', { l: list, names: Object.keys(wide) }],
    [
      'a thousand items, each with its own failing path',
      '{{item.a.b.c}}',
      { l: list.map((i) => ({ [`k${i}`]: inner })) },
    ],
    ['keys with dots at every level', `{{webhook.${'a.'.repeat(19)}z}}`, { l: [1], ...dotted(19) }],
    ['macros that never end', '{{webhook.text}}', { l: list, text: '${'.repeat(100_000) }],
  ])('%s', (_, template, payload) => {
    const ready = compiled(everyField(template));
    const raw = bytes(payload);
    const result = expectQuick(() => normalize(ready, raw));
    expect(result.alerts).toHaveLength((payload as { l: unknown[] }).l.length);
  });

  test('a request at its limits, read in nested sections a thousand times', () => {
    const query = { tag: Array(32).fill('x'.repeat(60)), long: 'y'.repeat(2_000) };
    const headers = Object.fromEntries(Array.from({ length: 32 }, (_, i) => [`x-${i}`, 'v'.repeat(30)]));
    const inner = '{{#request.query.tag}}{{.}}{{request}}{{request.headers.x-missing}}{{/request.query.tag}}';
    const template = `{{#request.query.tag}}${inner}{{/request.query.tag}}`;
    const request = { method: 'POST', contentType: null, query, headers };
    const result = expectQuick(() => normalize(compiled(everyField(template)), bytes({ l: list }), request));
    expect(result.alerts).toHaveLength(1_000);
  });

  test.each<[string, Buffer]>([
    ['1 MiB of brackets', Buffer.from('['.repeat(1_048_576))],
    ['1 MiB of brackets, closed', Buffer.from(`${'['.repeat(524_288)}${']'.repeat(524_288)}`)],
    ['1 MiB of nested objects', Buffer.from(`${'{"a":'.repeat(149_000)}1${'}'.repeat(149_000)}`)],
    [
      '1 MiB of numbers that lose digits',
      Buffer.from(`[${Array(50_000).fill('12345678901234567890').join()}]`),
    ],
    ['one number of 1 MiB', Buffer.from('9'.repeat(1_048_576))],
    ['1 MiB of small numbers with exponents', Buffer.from(`[${Array(200_000).fill('1e1').join()}]`)],
    ['1 MiB of fractions with a zero at the end', Buffer.from(`[${Array(200_000).fill('1.10').join()}]`)],
    ['1 MiB of the same key', Buffer.from(`{${Array(70_000).fill('"a":[1e999]').join()}}`)],
    ['1 MiB of digits in texts', Buffer.from(`[${Array(40_000).fill('" 1234567890123456e"').join()}]`)],
  ])('%s', (_, payload) => {
    expectQuick(() => normalize(compiled({ fields: { title: { template: '{{webhook}}' } } }), payload));
  });

  test.each([
    ['100,000 blanks in a tag', `{{${' '.repeat(100_000)}webhook.a}}`],
    ['8,000 blanks in a tag', `{{webhook.a${' '.repeat(8_000)}}}`],
    ['8,000 blanks before a tag', `${' '.repeat(8_000)}{{webhook.a}}`],
    ['2,000 open tags', '{{'.repeat(2_000)],
    ['4,000 lines', '\n'.repeat(8_000)],
    ['600 nested sections', '{{#webhook}}'.repeat(600)],
    ['600 sections', '{{#webhook}}{{/webhook}}'.repeat(340)],
    ['1,000 tags', '{{webhook}}'.repeat(740)],
    ['8 tags of 900 blanks', `{{webhook.a${' '.repeat(900)}}}`.repeat(8)],
    ['a path of brackets', `{{webhook${'[0]'.repeat(300)}}}`.repeat(8)],
    ['a name of quotes', `{{webhook["${'\\"'.repeat(480)}"]}}`.repeat(8)],
  ])('a template of %s', (_, template) => {
    expectQuick(() => compileMapping({ fields: { title: { template } } }));
  });
});
