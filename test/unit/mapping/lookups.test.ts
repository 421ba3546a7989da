import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  keptLookups,
  keptSource,
  type LookupSource,
  type Mapping,
  normalize,
  requestNames,
} from '../../../workers/mapping/index.js';
import { asJson, bytes, compiled, errorsOf, only, valuesOf } from './mapping.js';

const TABLES: Record<string, Record<string, Record<string, string>>> = {
  services: {
    shop: { team: 'Payments', tier: '1', 'on.call': 'ann', code: '007' },
    blog: { team: 'Web', tier: '2' },
  },
  teams: { Payments: { room: '#pay' }, Web: { room: '#web' } },
  hosts: { '["eu","db-1"]': { owner: 'ops' } },
};
const OWNERS: Record<string, string> = { octocat: 'octo@example.com' };

const source: LookupSource = (place, key) => {
  if ('integrationId' in place)
    return { revision: null, row: place.integrationId === 7 && OWNERS[key] ? { email: OWNERS[key] } : null };
  const table = TABLES[place.table];
  return table ? { revision: 3, row: table[key] ?? null } : { revision: null, row: null };
};

const service = { table: 'services', key: '{{webhook.service}}' };
const run = (mapping: Mapping, payload: unknown, from = source) => {
  const raw = bytes(payload);
  return normalize(compiled(mapping), raw, undefined, raw, from);
};
const titled = (title: object, payload: unknown, lookups: Mapping['lookups'] = { service }) =>
  valuesOf(only(run({ lookups, fields: { title } }, payload))).title;

describe('a lookup', () => {
  test.each<[string, object, unknown, string | undefined]>([
    [
      'gives a column to a template',
      { template: '{{lookup.service.team}}' },
      { service: 'shop' },
      'Payments',
    ],
    ['gives a column with dots', { template: '{{lookup.service.on.call}}' }, { service: 'shop' }, 'ann'],
    ['keeps the digits of a code', { template: '{{lookup.service.code}}' }, { service: 'shop' }, '007'],
    [
      'may be a section',
      { template: '{{#lookup.service}}{{team}}/{{tier}}{{/lookup.service}}' },
      { service: 'shop' },
      'Payments/1',
    ],
    [
      'gives a number to an expression',
      { expression: 'lookup.service.tier == 1 ? "hot" : "cold"' },
      { service: 'shop' },
      'hot',
    ],
    [
      'tells whether there is a row',
      { expression: 'has(lookup.service) ? "known" : "new"' },
      { service: 'x' },
      'new',
    ],
    [
      'that finds nothing gives way to another path',
      { template: '{{lookup.service.team|webhook.team}}' },
      { service: 'x', team: 'A' },
      'A',
    ],
    [
      'that finds nothing is a missing path',
      { template: '{{lookup.service.team}}' },
      { service: 'x' },
      undefined,
    ],
    ['without a key finds nothing', { template: '{{lookup.service.team}}' }, {}, undefined],
    [
      'goes on from the value of a payload',
      { template: '{{webhook.service}}: {{lookup.service.team}}' },
      { service: 'blog' },
      'blog: Web',
    ],
  ])('%s', (_, field, payload, expected) => expect(titled(field, payload)).toBe(expected));

  test.each<[string, Mapping['lookups'], string, unknown, string]>([
    [
      'several key columns',
      { host: { table: 'hosts', key: ['{{webhook.zone}}', { expression: 'webhook.name.lowerAscii()' }] } },
      '{{lookup.host.owner}}',
      { zone: 'eu', name: 'DB-1' },
      'ops',
    ],
    [
      'what another one found, whichever is first',
      { team: { table: 'teams', key: '{{lookup.service.team}}' }, service },
      '{{lookup.team.room}}',
      { service: 'shop' },
      '#pay',
    ],
    [
      'an account',
      { author: { owner: { integrationId: 7, identity: '{{webhook.login}}' } } },
      '{{lookup.author.email}}',
      { login: 'octocat' },
      'octo@example.com',
    ],
  ])('looks up %s', (_, lookups, template, payload, expected) =>
    expect(titled({ template }, payload, lookups)).toBe(expected),
  );

  test('is made for each item whose key differs, and decides about items', () => {
    const { alerts, filter, lookups } = run(
      {
        split: 'all',
        lookups: {
          service: { table: 'services', key: '{{item.name}}' },
          team: { table: 'teams', key: '{{lookup.service.team}}' },
        },
        filter: 'lookup.service.tier != 2',
        fields: { title: { template: '{{lookup.team.room}}' }, team: { expression: 'lookup.service.team' } },
      },
      { all: [{ name: 'shop' }, { name: 'blog' }, { name: 'shop' }, { name: 'x' }] },
    );
    expect(alerts.map(({ item, fields }) => [item, fields.title.value, fields.team.value])).toEqual([
      [0, '#pay', 'Payments'],
      [2, '#pay', 'Payments'],
      [3, null, null],
    ]);
    expect(filter).toMatchObject({
      items: [1],
      reason: { values: [{ path: 'lookup.service.tier', value: '2' }] },
    });
    expect(lookups?.misses()).toEqual([{ place: { table: 'services' }, key: 'x' }]);
  });

  test('says what it found, and why a required field is missing', () => {
    const mapping: Mapping = {
      lookups: { service, none: { table: 'nothing', key: '{{webhook.service}}' } },
      fields: {
        severity: { template: '{{lookup.service.tier}}' },
        source: { template: '{{lookup.none.a}}' },
      },
    };
    const { lookups, faults } = only(run(mapping, { service: 'x' }));
    expect(lookups).toEqual({
      service: { place: { table: 'services' }, key: 'x', revision: 3, row: null, reason: 'no_row' },
      none: { place: { table: 'nothing' }, key: 'x', revision: null, row: null, reason: 'no_table' },
    });
    expect(faults.map(({ message }) => message)).toEqual([
      'severity: lookup.service.tier has no value: the lookup table services has no row x',
      expect.stringContaining('description'),
      'source: lookup.none.a has no value: there is no lookup table nothing',
    ]);
  });

  describe('of an owner', () => {
    const author = { owner: { integrationId: 7, identity: '{{webhook.login}}' } };
    const person = { table: 'teams', key: '{{lookup.author.email}}' };
    const payload = { login: 'octocat', teams: {} };

    test.each<[string, object]>([
      ['a key that is made of it', { template: '{{lookup.person.room}}' }],
      ['an entry of a table', { expression: '{"a": 1}[lookup.author.email]' }],
      ['an entry of the payload', { expression: 'webhook.teams[lookup.author.email]' }],
      ['a function', { expression: 'timestamp(lookup.author.email)' }],
    ])('leaves it out of what is said about %s', (_, severity) => {
      const failing = { table: 'teams', key: { expression: 'timestamp(lookup.author.email)' } };
      const mapping = { lookups: { author, person, failing }, fields: { severity } };
      const { lookups, alerts, warnings } = run(mapping, payload);
      expect(warnings.map(({ code }) => code)).toEqual(['expression_error']);
      const { fields, faults } = alerts[0] ?? {};
      expect(faults?.[0]?.field).toBe('severity');
      expect(JSON.stringify([fields, faults, lookups?.misses(), warnings])).not.toContain('octo@');
    });

    test('masks it in the reason and the warnings of a filter', () => {
      const reason = (filter: string) => run({ lookups: { author }, filter, fields: {} }, payload).filter;
      expect(reason('lookup.author.email == "a"')?.reason?.values).toEqual([
        { path: 'lookup.author.email', value: 'o***@example.com' },
      ]);
      const failed = reason('webhook.teams[lookup.author.email] == 1 || int(lookup.author.email) == 1');
      expect(failed?.warnings).toHaveLength(1);
      expect(JSON.stringify(failed)).not.toContain('octo@');
    });
  });

  test('takes a long key as it is, and none of more than 1,000 characters', () => {
    const shown = (length: number) =>
      only(run({ lookups: { service }, fields: {} }, { service: 'x'.repeat(length) })).lookups?.service;
    expect(shown(1_000)).toMatchObject({ key: 'x'.repeat(1_000), reason: 'no_row' });
    expect(shown(1_001)).toMatchObject({ key: null, reason: 'key_too_long' });
  });

  test('keeps no more text of an event than 2,000,000 characters', () => {
    const rich: LookupSource = () => ({ revision: 3, row: { team: 'x'.repeat(100_000) } });
    const mapping: Mapping = {
      split: 'all',
      lookups: { service: { table: 'services', key: '{{item}}' } },
      fields: { team: { template: '{{lookup.service.team}}' } },
    };
    const all = Array.from({ length: 30 }, (_, at) => `key ${at}`);
    const { alerts, lookups } = run(mapping, { all }, rich);
    const found = alerts.filter((alert) => alert.lookups?.service?.row);
    expect([found.length, alerts.at(-1)?.lookups?.service?.reason]).toEqual([20, 'too_much_text']);
    expect(keptLookups(lookups?.kept() ?? null)).toHaveLength(20);
  });

  test.each<[string, number, number, number]>([
    ['too_much_text', 30, 100_000, 0],
    ['too_many_keys', 5_100, 1, 0],
    ['too_many_comparisons', 10, 1, 10_000_000],
  ])(
    'says %s of keys that were not looked up, also when one item is mapped again',
    (limit, items, length, compared) => {
      const rich: LookupSource = () => ({ revision: 3, row: { team: 'x'.repeat(length) }, compared });
      const mapping: Mapping = {
        split: 'all',
        lookups: {
          service: { table: 'services', key: '{{item}}' },
          other: { table: 'teams', key: '{{item}}' },
        },
        fields: { team: { template: '{{lookup.service.team}}{{lookup.other.team}}' } },
      };
      const all = Array.from({ length: items }, (_, at) => `key ${at}`);
      const { warnings, lookups } = run(mapping, { all }, rich);
      expect(warnings.map(({ code }) => code)).toEqual([limit]);
      const again = (item: string | undefined) =>
        run(mapping, { all: [item] }, keptSource(lookups?.kept() ?? null));
      const result = only(again(all.at(-1))).lookups;
      expect(result?.service).toMatchObject({ row: null, reason: limit });
      expect(result?.other).toMatchObject({ row: null, reason: limit });
      expect(again(all.at(-1)).warnings).toEqual(warnings);
      expect(only(again(all[0])).lookups?.service?.reason).toBeNull();
    },
  );

  test('says where and why the expression of its key failed, once for an event', () => {
    const key = { expression: 'webhook.all[0] + 1' };
    const mapping: Mapping = {
      split: 'all',
      lookups: { service: { table: 'services', key }, each: { table: 'services', key: '{{item}}' } },
      fields: { severity: { template: '{{lookup.service.tier}}' } },
    };
    const { alerts, warnings } = run(mapping, { all: ['shop', 'blog'] });
    const error = expect.stringMatching(/^in its key, the expression failed at line 1, column \d+: /);
    expect(alerts[1]?.lookups?.service).toMatchObject({ key: null, reason: 'no_key', error });
    expect(alerts[1]?.faults[0]?.message).toMatch(/in its key, the expression failed at line 1/);
    expect(warnings).toEqual([
      {
        code: 'expression_error',
        message: expect.stringMatching(/^lookups\.service: in its key, /),
        value: 'lookups.service',
      },
    ]);
    const endless = { expression: 'webhook.all.map(a, webhook.all.map(b, webhook.all)) != []' };
    const whole = { lookups: { service: { ...service, key: endless } }, fields: {} };
    const steps = only(run(whole, { all: Array(300).fill(1) }));
    expect(steps.lookups?.service?.error).toBe('its key failed: it takes too many steps with this payload');
  });

  test('without lookups, nothing is looked up and nothing is said of it', () => {
    const normalized = run({ fields: {} }, {});
    expect([normalized.lookups, only(normalized).lookups]).toEqual([undefined, undefined]);
  });

  test('reads the request like a field', () => {
    const mapping = compiled({
      lookups: { host: { table: 'hosts', key: '{{request.headers.x-host}}' } },
      fields: {},
    });
    expect(requestNames(mapping).headers).toEqual(new Set(['x-host']));
  });
});

describe('what was found', () => {
  const mapping: Mapping = {
    split: 'all',
    lookups: {
      service: { table: 'services', key: '{{item}}' },
      author: { owner: { integrationId: 7, identity: '{{item}}' } },
    },
    fields: { title: { template: '{{lookup.service.team}}' }, team: { template: '{{lookup.author.email}}' } },
  };

  test('is kept with the columns that the mapping reads', () => {
    const kept = run(mapping, { all: ['shop', 'octocat'] }).lookups?.kept() ?? null;
    expect(keptLookups(kept)).toMatchObject([
      { place: { table: 'services' }, revision: 3, key: 'shop', row: { team: 'Payments' } },
      { place: { table: 'services' }, revision: 3, key: 'octocat', row: null },
      { place: { integrationId: 7 }, revision: null, key: 'shop', row: null },
      { place: { integrationId: 7 }, revision: null, key: 'octocat', row: { email: 'octo@example.com' } },
    ]);
  });

  test('gives the same alerts again, whatever the keys are', () => {
    const rows = fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', '1')),
      fc.record({ team: fc.string(), other: fc.string() }),
      { noNullPrototype: true },
    );
    const property = fc.property(rows, fc.array(fc.string()), (table, others) => {
      const found: LookupSource = (place, key) => ({
        revision: 'table' in place ? 1 : null,
        row: Object.hasOwn(table, key) ? (table[key] ?? null) : null,
      });
      const payload = { all: [...Object.keys(table), ...others] };
      const before = run(mapping, payload, found);
      const kept = before.lookups?.kept() ?? null;
      const again = run(mapping, payload, keptSource(kept));
      const shown = ({ alerts }: typeof again) => asJson(alerts.map(({ lookups, ...alert }) => alert));
      expect(shown(again)).toEqual(shown(before));
      expect(again.lookups?.kept() ?? null).toBe(kept);
    });
    fc.assert(property, { numRuns: 100 });
  });
});

test.each<[string, object, string, string]>([
  [
    'an unknown lookup in a template',
    { fields: { title: { template: '{{lookup.x.a}}' } } },
    'fields.title.template',
    'no lookup "x"',
  ],
  [
    'an unknown lookup in an expression',
    { fields: { title: { expression: 'lookup.x.a' } }, lookups: { service } },
    'fields.title.expression',
    'no lookup "x"',
  ],
  [
    'a lookup that is not named',
    { fields: { title: { expression: 'lookup[webhook.a].b' } }, lookups: { service } },
    'fields.title.expression',
    'write lookup.NAME.COLUMN',
  ],
  ['an unknown lookup in a filter', { filter: 'lookup.x.a == 1' }, 'filter', 'no lookup "x"'],
  [
    'a lookup that uses itself',
    { lookups: { a: { table: 't', key: '{{lookup.a.x}}' } } },
    'lookups.a',
    'or itself',
  ],
  [
    'three levels',
    {
      lookups: {
        a: { table: 't', key: '{{lookup.b.x}}' },
        b: { table: 't', key: '{{lookup.c.x}}' },
        c: service,
      },
    },
    'lookups.a',
    'not one whose key does so too',
  ],
  [
    'a table without a key',
    { lookups: { a: { table: 't' } } },
    'lookups.a',
    'either table and key, or owner',
  ],
  [
    'a table and an owner',
    { lookups: { a: { ...service, owner: { integrationId: 1, identity: 'x' } } } },
    'lookups.a',
    'either',
  ],
  ['a blank key', { lookups: { a: { table: 't', key: ' ' } } }, 'lookups.a.key', 'must not be blank'],
  [
    'a key with an error',
    { lookups: { a: { table: 't', key: ['x', '{{webhook.'] } } },
    'lookups.a.key.1',
    'not closed',
  ],
  ['a name that no path can have', { lookups: { 'a-b': service } }, 'lookups.a-b', ''],
  [
    'too many',
    { lookups: Object.fromEntries([...'abcdefghijk'].map((name) => [name, service])) },
    'lookups',
    'at most 10',
  ],
])('%s is rejected', (_, mapping, field, message) =>
  expect(errorsOf({ fields: {}, ...mapping })).toContainEqual(
    expect.objectContaining({ field, message: expect.stringContaining(message) }),
  ),
);

test('the filter and the fields of an event share a lookup', () => {
  let asked = 0;
  const counting: LookupSource = (place, key) => {
    asked += 1;
    return source(place, key);
  };
  const title = { template: '{{lookup.service.team}}' };
  const mapping = { lookups: { service }, filter: 'lookup.service.tier == 1', fields: { title } };
  expect(valuesOf(only(run(mapping, { service: 'shop' }, counting))).title).toBe('Payments');
  expect(asked).toBe(1);
});
