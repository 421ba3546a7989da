import { expect, test } from '@jest/globals';
import { type JsonValue, parsePayload, statedTruncation } from '../../../workers/mapping/index.js';

const stated = (payload: object) => statedTruncation(payload as JsonValue);

test.each([
  ['Alertmanager and Grafana', { alerts: [{}], truncatedAlerts: 12 }, 'webhook.truncatedAlerts', 12],
  [
    'Bitbucket',
    { push: { changes: [{ truncated: false }, { truncated: true }] } },
    'webhook.push.changes[1].truncated',
    null,
  ],
  ['GitHub', { tree: [], truncated: true }, 'webhook.truncated', null],
  ['AWS', { detail: { IsTruncated: true } }, 'webhook.detail.IsTruncated', null],
  ['a snake_case sender', { truncated_alerts: 3 }, 'webhook.truncated_alerts', 3],
  ['a sender with a suffix', { alerts_truncated: true }, 'webhook.alerts_truncated', null],
  ['a search', { incomplete_results: true, items: [] }, 'webhook.incomplete_results', null],
  ['a text', { truncated: 'true' }, 'webhook.truncated', null],
])('finds the statement of %s', (_, payload, path, count) => {
  expect(stated(payload)).toEqual({ path, count });
});

test.each([
  ['nothing was left out', { truncatedAlerts: 0 }],
  ['it is false', { truncated: false, isTruncated: 'false', truncated_alerts: null }],
  ['the name only contains the word', { untruncatedText: true, logTruncatedAtLine: 'x', truncationLimit: 5 }],
  ['it is deeper than a statement of the sender', { a: { b: { c: { d: { e: { truncated: true } } } } } }],
  ['the payload is a list of numbers', [1, 2]],
])('finds none if %s', (_, payload) => expect(stated(payload)).toBeNull());

test('reads a large payload only in part, and numbers of any size', () => {
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, n]));
  expect(stated({ ...wide, truncated: true })).toBeNull();
  const parsed = parsePayload('{"truncatedAlerts":1.0e1}');
  expect('value' in parsed && statedTruncation(parsed.value)).toEqual({
    path: 'webhook.truncatedAlerts',
    count: 10,
  });
});
