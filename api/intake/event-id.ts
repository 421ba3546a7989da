import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { toEventId } from '../../db/events/alert-id.js';
import { newId } from './new-id.js';

/** The headers in which senders put an id that stays the same when they deliver an event again. */
const DELIVERY_HEADERS = [
  'webhook-id',
  'svix-id',
  'idempotency-key',
  'x-github-delivery',
  'x-amz-sns-message-id',
] as const;

/** What is the same each time that an event is delivered: the header that has it, or `body`, and its value. */
export interface DeliveryId {
  name: string;
  value: string;
}

/** Returns the first delivery id in the headers of a request. */
export function deliveryIdIn(headers: IncomingHttpHeaders): DeliveryId | null {
  for (const name of DELIVERY_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') return { name, value };
  }
  return null;
}

/** Returns the delivery id of an event whose body is never that of another event. */
export const deliveryIdOfBody = (body: Buffer): DeliveryId => ({
  name: 'body',
  value: createHash('sha256').update(body).digest('hex'),
});

/**
 * Returns an event's id. With a delivery id it is a UUIDv8 (RFC 9562) of SHA-256 over webhook, name and value, so that a
 * redelivery gets the same id on every host without a query. Otherwise it is a new UUIDv7.
 * @param isUnverified the signature is only observed, and this request has no valid one. It must not take the id of one that has
 */
export function eventIdFor(webhookId: string, delivery: DeliveryId | null, isUnverified: boolean): string {
  if (delivery === null) return newEventId();
  const name = isUnverified ? `unverified ${delivery.name}` : delivery.name;
  return hashedId(`${webhookId}\n${name}\n${delivery.value}`);
}

export const newEventId = (): string => toEventId(newId());

function hashedId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex[16] as string, 16) & 0x3) | 0x8).toString(16);
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  return toEventId(id);
}
