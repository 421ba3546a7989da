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

/**
 * Returns an event's id. With a delivery id it is a UUIDv8 (RFC 9562) of SHA-256 over webhook, header and value, so that a
 * redelivery gets the same id on every host without a query. Otherwise it is a new UUIDv7.
 */
export function eventIdFor(webhookId: string, headers: IncomingHttpHeaders): string {
  for (const header of DELIVERY_HEADERS) {
    const value = headers[header];
    if (typeof value === 'string' && value !== '') return deliveryId(webhookId, header, value);
  }
  return newEventId();
}

export const newEventId = (): string => toEventId(newId());

function deliveryId(webhookId: string, header: string, value: string): string {
  const hex = createHash('sha256').update(`${webhookId}\n${header}\n${value}`).digest('hex');
  const variant = ((Number.parseInt(hex[16] as string, 16) & 0x3) | 0x8).toString(16);
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  return toEventId(id);
}
