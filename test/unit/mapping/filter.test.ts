import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Mapping, Normalized } from '../../../workers/mapping/index.js';
import { errorsOf, run } from './mapping.js';

const FIELDS = { severity: { template: 's' }, description: { template: 'd' }, source: { template: 's' } };
const filtered = (filter: string, payload: unknown, more: Partial<Mapping> = {}): Normalized =>
  run({ filter, fields: { ...FIELDS, title: { template: '{{webhook.id}}' } }, ...more }, payload);
const split = (filter: string, items: unknown[], more: object = {}): Normalized =>
  filtered(
    filter,
    { items, ...more },
    { split: 'items', fields: { ...FIELDS, title: { template: '{{item.id}}' } } },
  );

describe('a filter of a whole event', () => {
  test.each<[string, unknown, Normalized['eventState']]>([
    ['webhook.severity != "info"', { severity: 'info' }, 'filtered'],
    ['webhook.severity != "info"', { severity: 'critical' }, 'normalized'],
    ['webhook.count > 3', { count: 3 }, 'filtered'],
    ['webhook.count > 3', { count: 3.5 }, 'normalized'],
    ['webhook.tags.exists(t, t == "prod")', { tags: ['dev'] }, 'filtered'],
    ['has(webhook.team) && webhook.team == "db"', {}, 'filtered'],
    ['!webhook.test', { test: true }, 'filtered'],
    ['  ', { a: 1 }, 'normalized'],
  ])('%s of %j is %s', (filter, payload, state) => {
    const { eventState, alerts } = filtered(filter, payload);
    expect([eventState, alerts.length]).toEqual([state, state === 'filtered' ? 0 : 1]);
  });

  test('names the clause that is false and the values that it read', () => {
    const { filter } = filtered('webhook.env == "prod" && webhook.severity != "info"', {
      env: 'prod',
      severity: 'info',
    });
    expect(filter).toEqual({
      reason: {
        clause: 'webhook.severity != "info"',
        values: [{ path: 'webhook.severity', value: 'info' }],
        item: null,
      },
      items: [],
      warnings: [],
    });
  });

  test('is decided before the split, so it also drops an event with too many items', () => {
    const items = Array.from({ length: 10_001 }, () => 1);
    expect(split('webhook.real', items, { real: false }).eventState).toBe('filtered');
    expect(split('webhook.real', items, { real: true }).eventState).toBe('failed');
  });

  test('does not drop the confirmation of an SNS subscription', () => {
    const confirmation = {
      Type: 'SubscriptionConfirmation',
      TopicArn: 'arn:aws:sns:eu-west-1:1:topic',
      SubscribeURL: 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=x',
      Token: 'x',
      Message: 'm',
    };
    expect(filtered('false', confirmation)).toMatchObject({ eventState: 'normalized', filter: null });
  });
});

describe('a filter that cannot be decided keeps the alert, with a warning', () => {
  test.each<[string, unknown, object]>([
    [
      'webhook.sevrity != "info"',
      { severity: 'info' },
      {
        code: 'filter_missing',
        value: 'webhook.sevrity',
        message: 'filter: webhook.sevrity is missing, so it dropped nothing; did you mean webhook.severity?',
      },
    ],
    ['webhook.count > 3', { count: 'many' }, { code: 'filter_error' }],
    ['webhook.count', { count: 3 }, { code: 'filter_error' }],
    ['webhook.count', { count: null }, { code: 'filter_error' }],
    ['request.method == "POST"', {}, { code: 'filter_missing', value: 'request.method' }],
  ])('%s of %j', (filter, payload, warning) => {
    const result = filtered(filter, payload);
    expect([result.eventState, result.alerts.length, result.filter?.reason]).toEqual(['normalized', 1, null]);
    expect(result.filter?.warnings).toEqual([expect.objectContaining(warning)]);
    expect(result.warnings).toEqual(result.filter?.warnings);
  });

  test('also if it takes too many steps', () => {
    const list = Array.from({ length: 3_000 }, (_, i) => i);
    const { eventState, filter } = filtered('webhook.l.all(a, webhook.l.all(b, a + b < 0.0 || true))', {
      l: list,
    });
    expect([eventState, filter?.warnings.map(({ message }) => message)]).toEqual([
      'normalized',
      ['filter: it takes too many steps with this payload, so it dropped nothing'],
    ]);
  });

  test('unless a clause that can be decided is false, as CEL defines &&', () => {
    expect(filtered('webhook.sevrity != "info" && webhook.env == "prod"', { env: 'dev' }).eventState).toBe(
      'filtered',
    );
  });
});

describe('a filter that uses the item', () => {
  const items = [{ id: 'a', ok: true }, { id: 'b', ok: false }, { id: 'c' }, { id: 'd', ok: false }];

  test('drops items one by one, and the others keep their numbers', () => {
    const { eventState, alerts, filter } = split('item.ok', items);
    expect(eventState).toBe('normalized');
    expect(alerts.map(({ item, fields }) => [item, fields.title.value])).toEqual([
      [0, 'a'],
      [2, 'c'],
    ]);
    expect(filter).toMatchObject({ reason: { clause: 'item.ok', item: 1 }, items: [1, 3] });
    expect(filter?.warnings).toEqual([expect.objectContaining({ code: 'filter_missing', value: 'item.ok' })]);
  });

  test('filters the event if it drops all items', () => {
    expect(split('item.ok', [{ ok: false }])).toMatchObject({ eventState: 'filtered', alerts: [] });
  });

  test('leaves an event with an empty list, or without the list, as it is', () => {
    expect(split('item.ok', [])).toMatchObject({ eventState: 'normalized', filter: null });
    const { eventState, alerts } = filtered('item.ok', { a: 1 }, { split: 'items' });
    expect([eventState, alerts[0]?.faults[0]?.code]).toEqual(['normalized', 'split_not_array']);
  });
});

test('an invalid filter is rejected with its position, together with the other errors', () => {
  const errors = errorsOf({ filter: 'webhook.a ==', fields: { title: { template: '{{webhook.a' } } });
  expect(errors.map(({ field, line }) => [field, line])).toEqual([
    ['filter', 1],
    ['fields.title.template', 1],
  ]);
  expect(errorsOf({ filter: 'item.a == 1', fields: {} })[0]).toMatchObject({
    field: 'filter',
    code: 'no_item',
  });
  expect(errorsOf({ filter: '"text"', fields: {} })[0]).toMatchObject({
    field: 'filter',
    code: 'type_error',
  });
  expect(errorsOf({ filter: 'sevrity == 1', fields: {} })[0]).toMatchObject({
    column: 1,
    code: 'unknown_name',
  });
});

test('any items are either kept with their alert or dropped, never both and never lost', () => {
  const item = fc.record(
    { ok: fc.oneof(fc.boolean(), fc.constant(null), fc.integer()) },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(item, { maxLength: 30 }), (items) => {
      const { alerts, filter, eventState } = split('item.ok', items);
      const dropped = filter?.items ?? [];
      const numbers = [...alerts.map((alert) => alert.item), ...dropped].sort((one, other) => one - other);
      expect(numbers).toEqual([...items.keys()]);
      expect(dropped.every((number) => items[number]?.ok === false)).toBe(true);
      expect(items.filter(({ ok }) => ok === false)).toHaveLength(dropped.length);
      expect(eventState).toBe(alerts.length === 0 && dropped.length > 0 ? 'filtered' : 'normalized');
    }),
  );
});
