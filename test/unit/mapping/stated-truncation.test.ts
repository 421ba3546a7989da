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
  ['Python', { truncated: 'True' }, 'webhook.truncated', null],
  ['a form', { truncatedAlerts: '2' }, 'webhook.truncatedAlerts', 2],
  ['a list', { truncatedFields: ['a', 'b'] }, 'webhook.truncatedFields', 2],
  ['an object with flags', { truncated: { stdout: false, stderr: true } }, 'webhook.truncated', null],
  ['an object with numbers', { truncated: { alerts: 2, max: 0 } }, 'webhook.truncated', null],
  ['an object with a reason', { truncated: { reason: 'too large' } }, 'webhook.truncated', null],
  ['a private name', { _truncated: true }, 'webhook._truncated', null],
  ['a question', { isTruncated: true }, 'webhook.isTruncated', null],
  ['a question in the past', { was_truncated: 'yes' }, 'webhook.was_truncated', null],
  ['a result', { results: [], resultsTruncated: true }, 'webhook.resultsTruncated', null],
  [
    'Azure',
    { data: { alertContext: { IncludedSearchResults: 'False' } } },
    'webhook.data.alertContext.IncludedSearchResults',
    null,
  ],
  [
    'AWS CloudTrail',
    { detail: { requestParameters: { omitted: true, originalSize: 200_000 } } },
    'webhook.detail.requestParameters.omitted',
    null,
  ],
  ['a sender that omits alerts', { omittedAlerts: 5 }, 'webhook.omittedAlerts', 5],
  ['a sender that drops alerts', { alerts: [], dropped_alerts: '2' }, 'webhook.dropped_alerts', 2],
  ['a sender that counts', { meta: { numSkippedEvents: 3 } }, 'webhook.meta.numSkippedEvents', 3],
  ['a noun before the word', { alertsDropped: true }, 'webhook.alertsDropped', null],
  ['a count of what was omitted', { _meta: { omitted_count: 7 } }, 'webhook._meta.omitted_count', 7],
  ['an object about the payload', { _meta: { truncated: 12 } }, 'webhook._meta.truncated', 12],
  ['Adobe', { conditionalParametersTrimmed: ['agreement'] }, 'webhook.conditionalParametersTrimmed', 1],
])('finds the statement of %s', (_, payload, path, count) => {
  expect(stated(payload)).toEqual({ path, count });
});

test.each([
  ['nothing was left out', { truncatedAlerts: 0 }],
  ['it is false', { truncated: false, isTruncated: 'false', truncated_alerts: null }],
  ['the name only contains the word', { untruncatedText: true, logTruncatedAtLine: 'x', truncationLimit: 5 }],
  ['it is deeper than a statement of the sender', { a: { b: { c: { d: { e: { truncated: true } } } } } }],
  [
    'a text says it in prose',
    { truncated: 'The log was truncated', message: 'truncated', summary: { truncated: 'x' } },
  ],
  ['a text has a name like it', { truncatedMessage: '500', truncated_title: '12', truncated: 'no' }],
  ['a number does not count things', { truncatedAt: 1_770_113_640, truncated_length: 5 }],
  ['nothing is in the list or object', { truncatedAlerts: [], truncated: {} }],
  ['all flags are false', { truncated: { value: false, limit: 1_000 } }],
  ['it is a label', { alerts: [{ labels: { truncated: 'true' } }], commonLabels: { truncated: 'true' } }],
  ['it is an annotation or a tag', { annotations: { truncated: 'yes' }, tags: { omitted: true } }],
  ['it is a detail that a user chose', { payload: { custom_details: { isTruncated: true } } }],
  [
    'it is a measurement',
    { dropped_packets: 5, skippedTests: 3, droppedFrames: 1, eventsDroppedRate: 2, undroppedAlerts: 1 },
  ],
  ['it is about one alert', { alerts: [{ dropped_events: 5 }] }],
  ['no alert was left out', { omittedAlerts: 0, dropped_alerts: '0', skippedEvents: [] }],
  ['it says that it is whole', { untruncated: true, IncludedSearchResults: 'True', omitted: false }],
  ['the payload is a list of numbers', [1, 2]],
])('finds none if %s', (_, payload) => expect(stated(payload)).toBeNull());

test('reads a large payload only in part, its properties first, and numbers of any size', () => {
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, n]));
  expect(stated({ ...wide, truncated: true })).toBeNull();
  expect(stated({ a: wide, truncated: true })).toEqual({ path: 'webhook.truncated', count: null });
  const parsed = parsePayload('{"truncatedAlerts":1.0e1}');
  expect('value' in parsed && statedTruncation(parsed.value)).toEqual({
    path: 'webhook.truncatedAlerts',
    count: 10,
  });
});
