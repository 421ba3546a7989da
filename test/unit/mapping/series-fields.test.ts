import { describe, expect, test } from '@jest/globals';
import { catalogue } from '../../../workers/mapping/catalogue/index.js';
import type { FieldMapping } from '../../../workers/mapping/definition/schema.js';
import {
  mappingWarnings,
  type NormalizedAlert,
  statistics,
  statusOfWord,
} from '../../../workers/mapping/index.js';
import { compiled, errorsOf, only, run } from './mapping.js';

/** Of an item whose mapping says nothing about occurrences. */
const PLAIN = { texts: 'newest', occurrence: null, final: false, expiry: null };

/** Maps a payload with a dedupKey and a status. */
function map(payload: unknown, { key = {}, status = {} }: { key?: object; status?: object } = {}) {
  const fields = {
    dedupKey: { template: '{{webhook.id}}', ...key },
    status: { template: '{{webhook.status}}', ...status } as FieldMapping,
  };
  return only(run({ fields }, payload));
}

const codesOf = (alert: NormalizedAlert, field: 'status' | 'dedupKey') =>
  alert.fields[field]?.warnings.map(({ code }) => code);

describe('the status words', () => {
  test.each([
    'ok',
    'OK',
    ' Okay ',
    'recovered',
    'RESOLVED',
    'closed',
    'Normal',
    'up',
    'success',
    'inactive',
    'auto_resolved',
    'Auto-Resolved',
  ])('%s: resolved', (word) => {
    expect(statusOfWord(word)).toBe('resolved');
  });

  test.each(['firing', 'ALARM', 'INSUFFICIENT_DATA', 'No Data', 'Down', 'Open', 'problem', 'acknowledged'])(
    '%s: firing',
    (word) => {
      expect(statusOfWord(word)).toBe('firing');
    },
  );

  test.each(['true', 'false', '0', '1', '', 'not ok', 'constructor', '__proto__'])('%s: unknown', (word) => {
    expect(statusOfWord(word)).toBeNull();
  });
});

describe('the series of an item', () => {
  test('has the key and the status', () => {
    const alert = map({ id: 7, status: 'Recovered' });
    expect(alert.series).toEqual({ dedupKey: '7', status: 'resolved', ...PLAIN });
    expect(alert.fields.status).toMatchObject({ value: 'resolved', result: 'resolved', warnings: [] });
  });

  test('is absent from an alert whose mapping has neither field', () => {
    const alert = only(run({ fields: {} }, {}));
    expect(alert.series).toBeNull();
    expect(Object.keys(alert.fields)).not.toContain('status');
    expect(Object.keys(alert.fields)).not.toContain('dedupKey');
  });

  test('is firing without a status in the mapping', () => {
    const alert = only(run({ fields: { dedupKey: { template: '{{webhook.id}}' } } }, { id: 'a' }));
    expect(alert.series).toEqual({ dedupKey: 'a', status: 'firing', ...PLAIN });
    expect(alert.fields.status).toBeUndefined();
  });

  test('is firing, with a warning, if the status is missing', () => {
    const alert = map({ id: 'a' });
    expect(alert.series).toEqual({ dedupKey: 'a', status: 'firing', ...PLAIN });
    expect(alert.fields.status).toMatchObject({ value: null, result: 'missing' });
    expect(codesOf(alert, 'status')).toEqual(['missing_status']);
    expect(codesOf(map({ id: 'a', status: 'null' }), 'status')).toEqual(['placeholder', 'missing_status']);
    expect(codesOf(map({}), 'status')).toEqual([]);
  });

  test('is firing, with a warning, if the status is unknown', () => {
    const alert = map({ id: 'a', status: 'Wobbly' });
    expect(alert.series?.status).toBe('firing');
    expect(alert.fields.status?.warnings).toEqual([
      {
        code: 'unknown_status',
        message: 'neither a known status word nor in the value map; it counts as firing',
        value: 'Wobbly',
      },
    ]);
  });

  test.each([
    ['Wobbly', 'resolved', []],
    ['ok', 'firing', []],
    ['closed', 'resolved', []],
    ['2', 'resolved', []],
    ['odd', 'firing', ['unknown_status']],
  ])('the value map comes before the words: %s', (word, status, warnings) => {
    const values = { wobbly: 'Recovered', ok: 'firing', 2: 'RESOLVED' };
    const alert = map({ id: 'a', status: word }, { status: { values } });
    expect(alert.series?.status).toBe(status);
    expect(codesOf(alert, 'status')).toEqual(warnings);
  });

  test.each([[true], [false], [0], [1]])(
    '%s is unknown, because its meaning depends on the sender',
    (value) => {
      const alert = map({ id: 'a', status: value });
      expect(alert.series?.status).toBe('firing');
      expect(codesOf(alert, 'status')).toEqual(['unknown_status']);
      const said = map({ id: 'a', status: value }, { status: { values: { [String(value)]: 'resolved' } } });
      expect(said.series?.status).toBe('resolved');
    },
  );

  test('uses expressions and defaults', () => {
    const status = { template: undefined, expression: 'webhook.value > 5.0 ? "down" : "up"' };
    expect(map({ id: 1, value: 3 }, { status }).series?.status).toBe('resolved');
    expect(map({ id: 1, value: 9 }, { status }).series?.status).toBe('firing');
    expect(map({ id: 1 }, { status: { default: 'ok' } }).series?.status).toBe('resolved');
    expect(map({}, { key: { default: 'whole service' } }).series?.dedupKey).toBe('whole service');
  });

  test('belongs to the item of a split', () => {
    const fields = {
      dedupKey: { template: '{{webhook.cluster}}/{{item.id}}' },
      status: { template: '{{item.s}}' },
    };
    const payload = {
      cluster: 'c',
      alerts: [{ id: 1, s: 'firing' }, { id: 2, s: 'resolved' }, { s: 'firing' }],
    };
    expect(run({ split: 'alerts', fields }, payload).alerts.map(({ series }) => series)).toEqual([
      { dedupKey: 'c/1', status: 'firing', ...PLAIN },
      { dedupKey: 'c/2', status: 'resolved', ...PLAIN },
      null,
    ]);
  });
});

describe('the key', () => {
  test.each([
    ['a missing tag', { template: '{{webhook.group}}/{{webhook.id}}' }, { id: 'a' }],
    ['a blank text', {}, { id: ' ' }],
    ['a blank entry of the value map', { values: { a: ' ' } }, { id: 'a' }],
    ['an unexpanded macro', {}, { id: '$ALERT_CYCLE_KEY' }],
    ['a failed expression', { template: undefined, expression: 'webhook.id + 1.0' }, { id: 'a' }],
  ])('is missing with %s', (_name, key, payload) => {
    const alert = map(payload, { key });
    expect(alert.series).toBeNull();
    expect(alert.fields.dedupKey).toMatchObject({ value: null, result: 'missing' });
    expect(codesOf(alert, 'dedupKey')).toContain('missing_dedup_key');
    expect(alert.faults.map(({ field }) => field)).not.toContain('dedupKey');
  });

  test('of up to 255 characters is kept', () => {
    const key = '😀'.repeat(255);
    const alert = map({ id: key });
    expect(alert.series?.dedupKey).toBe(key);
    expect(codesOf(alert, 'dedupKey')).toEqual([]);
  });

  test('that is longer is hashed, with a warning', () => {
    // printf 'a%.0s' {1..256} | sha256sum
    const hash = '02d7160d77e18c6447be80c2e355c7ed4388545271702c50253b0914c65ce5fe';
    const alert = map({ id: 'a'.repeat(256) });
    expect(alert.series?.dedupKey).toBe(`sha256:${hash}`);
    expect(codesOf(alert, 'dedupKey')).toEqual(['hashed']);
    expect(map({ id: `${'a'.repeat(256)}b` }).series?.dedupKey).not.toBe(`sha256:${hash}`);
  });
});

describe('in a mapping', () => {
  test('both fields are checked like the others', () => {
    const fields = { status: { template: '{{webhook.x' }, dedupKey: { expression: 'webhook.' } };
    expect(errorsOf({ fields }).map(({ field }) => field)).toEqual([
      'fields.status.template',
      'fields.dedupKey.expression',
    ]);
    expect(errorsOf({ fields: { dedupkey: { template: 'x' } } })).toHaveLength(1);
  });

  test('a field without a template, expression or default counts as absent', () => {
    const { fields } = compiled({ fields: { status: {}, dedupKey: { template: ' ', values: { a: 'b' } } } });
    expect(fields.map(({ name }) => name)).not.toContain('status');
    expect(fields.map(({ name }) => name)).not.toContain('dedupKey');
  });
});

test('the statistics count unknown status words', () => {
  const mapping = {
    fields: { dedupKey: { template: '{{webhook.id}}' }, status: { template: '{{webhook.s}}' } },
  };
  const observations = ['odd', 'ok', 'odd'].map((s, index) => ({
    eventId: String(index),
    normalized: run(mapping, { id: 1, s }),
  }));
  const { fields } = statistics(compiled(mapping), observations);
  expect(fields.status).toMatchObject({ resolved: 3, unmapped: [{ value: 'odd', count: 2 }] });
  expect(fields.dedupKey).toMatchObject({ resolved: 3, fillRate: 1 });
});

describe('a part of the key that may be left out', () => {
  const warned = (template: string) =>
    mappingWarnings(compiled({ fields: { dedupKey: { template } } })).map(({ code }) => code);
  const optional = '{{#webhook.b}}/{{.}}{{/webhook.b}}';

  test.each([
    ['{{webhook.a}}/{{webhook.b}}', []],
    [`{{webhook.a}}${optional}`, ['optional_key_part']],
    [`{{webhook.a}}${optional}{{^webhook.b}}/none{{/webhook.b}}`, []],
    [`{{webhook.a}}${optional}{{^webhook.b}}{{/webhook.b}}`, []],
    [optional, []],
  ])('%s', (template, codes) => {
    expect(warned(template)).toEqual(codes);
  });

  test.each(catalogue.map(({ name, mapping }) => [name, mapping] as const))('%s has none', (_, mapping) => {
    expect(mappingWarnings(compiled(mapping))).toEqual([]);
  });
});
