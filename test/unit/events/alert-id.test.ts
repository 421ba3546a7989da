import { expect, test } from '@jest/globals';
import { eventIdFor } from '../../../api/intake/event-id.js';
import {
  alertId,
  eventIdOf,
  isDeliveryId,
  itemNumberOf,
  lastAlertId,
  maxAlerts,
} from '../../../db/events/alerts/alert-id.js';

const DELIVERY = { name: 'webhook-id', value: 'msg_1' };
const idOf = (raw: string, delivery: typeof DELIVERY | null) =>
  eventIdFor('0199c0de-0000-7000-8000-000000000000', { delivery, isUnverified: false, raw });
const SMALL = '{"alerts":[]}';
const LARGE = JSON.stringify({ alerts: Array.from({ length: 5_000 }, () => 0) });
const ESCAPED = JSON.stringify({ alerts: '[]' }).replace('[', `[0${'\\u002C0'.repeat(5_000)}`);

test.each([
  ['a small body', SMALL, null, 4_095],
  ['a small body that may be delivered again', SMALL, DELIVERY, 4_095],
  ['a body that may list many items', LARGE, null, 65_535],
  ['one that may be delivered again', LARGE, DELIVERY, 65_535],
  ['a JSON text whose commas are escaped', ESCAPED, null, 65_535],
])('the id of an event with %s numbers its alerts', (_, raw, delivery, most) => {
  const id = idOf(raw, delivery);
  expect(maxAlerts(id)).toBe(most);
  expect(isDeliveryId(id)).toBe(delivery !== null);
  const alerts = [0, 1, 4_094, most - 1].map((number) => ({ number, alert: alertId(id, number) }));
  for (const { number, alert } of alerts) {
    expect(alert).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[5-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([eventIdOf(alert), itemNumberOf(alert)]).toEqual([id, number]);
    expect(id < alert && alert <= lastAlertId(id)).toBe(true);
  }
  if (delivery) expect(idOf(raw, delivery)).toBe(id);
});
