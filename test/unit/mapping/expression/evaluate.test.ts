import { expect, test } from '@jest/globals';
import { LosslessNumber } from 'lossless-json';
import { explainFalse } from '../../../../workers/mapping/expression/index.js';
import { compiled, evaluated, payload, scopeOf } from './expressions.js';

const WEBHOOK = payload(`{
  "status": "firing", "title": "High CPU on db-1", "count": 12, "id": 12345678901234567890, "nothing": null, "blank": " ",
  "tags": ["env:prod", "team:db"], "at": "2026-11-22T07:00:00Z",
  "alerts": [{"labels": {"severity": "critical", "instance": "db-1"}, "value": 3.5}, {"labels": {"severity": "warn"}, "value": 1}]
}`);

test.each([
  ['webhook.status == "firing" ? "critical" : "info"', 'critical'],
  ['webhook.title.replace("CPU", "RAM").upperAscii()', 'HIGH RAM ON DB-1'],
  ['webhook.count + 1', 13],
  ['webhook.count / 5', 2.4],
  ['webhook.count > 10 && webhook.count <= 12', true],
  ['"count: " + string(webhook.count)', 'count: 12'],
  ['webhook.alerts.filter(a, a.labels.severity == "critical").map(a, a.labels.instance).join(", ")', 'db-1'],
  ['webhook.alerts.map(a, a.value > 2, a.value)', [3.5]],
  [
    'webhook.alerts.map(a, webhook.tags.map(t, t + string(a.value)))',
    [
      ['env:prod3.5', 'team:db3.5'],
      ['env:prod1', 'team:db1'],
    ],
  ],
  ['webhook.alerts[1]', { labels: { severity: 'warn' }, value: 1 }],
  ['{"a": webhook.alerts[1].value, "b": [1, 2u, 3.5]}', { a: 1, b: [1, 2, 3.5] }],
  ['first(webhook.absent, webhook.nothing, webhook.title)', 'High CPU on db-1'],
  ['first(webhook.absent, webhook.nothing)', null],
  ['first(webhook.title + " of " + webhook.blank, webhook.title)', 'High CPU on db-1'],
  ['first(webhook.title + " of " + webhook.nothing, webhook.title)', 'High CPU on db-1'],
  ['first(webhook.title + first(" of " + webhook.blank, ""), "x")', 'High CPU on db-1'],
  ['first(first(webhook.absent, webhook.blank) + " of x", "y")', 'y'],
  ['first(webhook.title + [1].filter(one, one > 1).map(one, "z").join(", "), "x")', 'High CPU on db-1'],
  ['webhook.title + webhook.blank', 'High CPU on db-1 '],
  ['extract(webhook.title, "on (\\\\S+)$")', 'db-1'],
  ['extract(webhook.title, "[A-Z]{3}")', 'CPU'],
  ['extract(webhook.title, "memory")', null],
  ['webhook.title.matches("^High")', true],
  ['webhook.tags.exists(t, t.startsWith("team:"))', true],
  ['timestamp(webhook.at).getHours("Europe/Berlin")', 8],
  ['timestamp(webhook.at) + duration("1h")', '2026-11-22T08:00:00Z'],
  ['has(webhook.absent) ? 1 : 2', 2],
  ['"status" in webhook', true],
  ['type(webhook.count)', 'double'],
])('%s is evaluated', (source, value) => {
  expect(evaluated(source, WEBHOOK)).toEqual({ value });
});

test('an id beyond 2^53 keeps its digits', () => {
  const id = new LosslessNumber('12345678901234567890');
  expect(evaluated('webhook.id', WEBHOOK)).toEqual({ value: id });
  expect(evaluated('string(webhook.id)', WEBHOOK)).toEqual({ value: id.value });
  expect(evaluated('webhook.id == 12345678901234567890u', WEBHOOK)).toEqual({ value: true });
  expect(evaluated('webhook[0]', payload('[-9007199254740993]'))).toEqual({
    value: new LosslessNumber('-9007199254740993'),
  });
});

test.each([
  ['webhook.labels.team', 'webhook.labels'],
  ['webhook.tags[7]', 'webhook.tags[7]'],
  ['webhook.nothing.x', 'webhook.nothing.x'],
  ['webhook["no"]["where"]', 'webhook.no'],
  ['webhook.alerts.map(a, a.labels.instance)', 'a.labels.instance'],
  ['request.headers["x-github-event"]', 'request.headers'],
  ['item.name', 'item.name'],
  ['webhook.constructor', 'webhook.constructor'],
  // Nothing can be computed with null.
  ['webhook.nothing + "/" + webhook.title', 'webhook.nothing'],
  ['webhook.title + "/" + webhook.nothing', 'webhook.nothing'],
  ['webhook.title + "/" + webhook["nothing"].lowerAscii()', 'webhook.nothing'],
  ['webhook.nothing > 5 ? "a" : "b"', 'webhook.nothing'],
  ['webhook.nothing ? "a" : "b"', 'webhook.nothing'],
  ['!webhook.nothing', 'webhook.nothing'],
  ['string(webhook.nothing)', 'webhook.nothing'],
  ['webhook.nothing.startsWith("a")', 'webhook.nothing'],
  ['{"a": "b"}[webhook.nothing]', 'webhook.nothing'],
  ['[webhook.title].map(l, webhook.nothing + "x")', 'webhook.nothing'],
  ['[{"x": webhook.nothing}].map(l, l.x + "y")', 'l.x'],
])('%s is missing', (source, missing) => {
  expect(evaluated(source, WEBHOOK)).toEqual({ missing });
});

test.each([
  [
    'webhook.title + webhook.count',
    '+ cannot be applied to string and double; it reads webhook.title and webhook.count',
    14,
  ],
  ['webhook.title ? 1 : 2', '?: cannot be applied to string; it reads webhook.title', 0],
  ['{"a": "b"}[webhook.status]', 'the table has no entry firing; it reads webhook.status', 0],
  ['int(webhook.title)', 'Cannot convert High CPU on db-1 to a BigInt; it reads webhook.title', 0],
])('%s is an error of this payload', (source, error, start) => {
  expect(evaluated(source, WEBHOOK)).toEqual({ error, start });
});

test('reads the item and the request', () => {
  const request = { method: 'POST', contentType: null, query: {}, headers: { 'x-github-event': 'push' } };
  const source = 'request.headers["x-github-event"] + " " + item.name + " " + webhook.name';
  expect(evaluated(source, { name: 'w' }, { item: { name: 'i' }, request })).toEqual({ value: 'push i w' });
});

test('explains which clause of a condition is false, and what it read', () => {
  const condition = compiled(
    'webhook.status == "firing" && webhook.count > 100 && webhook.alerts.exists(a, a.value > 1)',
  );
  expect(explainFalse(condition, scopeOf(WEBHOOK))).toEqual({
    clause: 'webhook.count > 100',
    reads: [{ path: 'webhook.count', value: '12' }],
  });
  expect(explainFalse(compiled(' webhook.alerts.all(a, has(a.x)) '), scopeOf(WEBHOOK))).toEqual({
    clause: 'webhook.alerts.all(a, has(a.x))',
    reads: [{ path: 'webhook.alerts', value: expect.stringMatching(/^\[\{"labels".{80,90}…$/) }],
  });
  expect(explainFalse(compiled('webhook.status == "firing" && true'), scopeOf(WEBHOOK))).toBeNull();
});
