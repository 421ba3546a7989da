import { expect, test } from '@jest/globals';
import { eventIdsFor } from '../../../api/intake/event-id.js';
import { readAlert } from '../../../api/routes/dialects/alertmanager/read-alert.js';
import { maxAlerts } from '../../../db/events/alerts/alert-id.js';
import type { PostedAlert } from '../../../workers/alertmanager/posted-alert.js';
import { eventsOfList } from '../../../workers/events/store/listed-event.js';
import { queuedSize } from '../../../workers/queues/contracts/alert-intake.js';

const SENT: [string, string][] = [
  [
    'all members',
    '{"labels":{"b":"2","a":"1"},"annotations":{"s":"\\u00e9\\""},"startsAt":"2026-03-01T08:00:00Z","endsAt":"2026-03-01T09:00:00+01:00","generatorURL":"http://p/"}',
  ],
  ['labels alone', '{"labels":{"alertname":"Up"}}'],
  [
    'names of members of all objects',
    '{"labels":{"__proto__":"p","constructor":"c","toString":"t"},"annotations":{"__proto__":"q"}}',
  ],
  ['a start far ahead', '{"labels":{"alertname":"Up"},"startsAt":"2036-03-01T08:00:00Z"}'],
];

test.each(SENT)(
  'the event of an alert with %s is the same, whether its body is written or not',
  (_, text) => {
    const alert = readAlert(JSON.parse(text)) as PostedAlert;
    const queued = JSON.parse(JSON.stringify([alert]));
    const list = {
      webhookId: 'w',
      receivedAt: Date.parse('2026-03-01T08:30:00Z'),
      request: '{}',
      ids: ['i'],
    };
    const [event] = eventsOfList({ ...list, alerts: queued });
    expect(JSON.stringify(JSON.parse(event?.raw ?? ''))).toBe(JSON.stringify(event?.value));
    expect(event?.raw).toContain(JSON.stringify(alert.labels));
    const [sent] = eventsOfList({ ...list, alerts: [alert] });
    expect([event?.raw, event?.digest, event && queuedSize(event)]).toEqual([
      sent?.raw,
      sent?.digest,
      sent && queuedSize(sent),
    ]);
  },
);

test('the ids of a list number its events, and those of long bodies many items', () => {
  const delivery = { name: 'idempotency-key', value: 'k' };
  const idsOf = (from: number, sizes: readonly number[], isUnverified = false) =>
    eventIdsFor('w', { delivery, isUnverified }, { from, sizes });
  const ids = idsOf(0, [100, 100, 8_000]);
  expect(new Set([...ids, ...idsOf(0, [100], true)]).size).toBe(4);
  expect([...idsOf(0, [100]), ...idsOf(1, [100, 8_000])]).toEqual(ids);
  expect(ids.map(maxAlerts)).toEqual([4_095, 4_095, 65_535]);
});
