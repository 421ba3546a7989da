import { expect, test } from '@jest/globals';
import { eventTypeOf, type JsonValue } from '../../../workers/mapping/index.js';

const typeOf = (payload: JsonValue, headers: Record<string, string> = {}) =>
  eventTypeOf(payload, { method: 'POST', contentType: null, query: {}, headers });

test.each([
  [{ event: 'incident.triggered', id: 7 }, {}, 'event=incident.triggered'],
  [
    { object_kind: 'pipeline', 'detail-type': 'Alarm State Change' },
    {},
    'object_kind=pipeline, detail-type=Alarm State Change',
  ],
  [{ action: 'opened' }, { 'x-github-event': 'issues' }, 'x-github-event=issues, action=opened'],
  [[{ eventType: 'Down' }, { eventType: 'Up' }], {}, 'eventType=Down'],
  [{ type: 'The disk of the server is nearly full, please have a look at it soon.' }, {}, null],
  [{ type: 7, event: { name: 'a' }, kind: 'https://example.com/?a=b' }, {}, null],
  [{ message: 'down' }, {}, null],
  ['text', {}, null],
])('the type of an event %#', (payload, headers, expected) => {
  expect(typeOf(payload, headers)).toBe(expected);
});
