import { createHash, getRandomValues } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { V7Generator } from 'uuidv7';
import { toEventId } from '../../db/events/alert-id.js';

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

/** Random numbers, generated 4 KiB at a time. With 32 bytes at a time, the package's default, they cost as much as all the rest. */
const pool = new Uint32Array(1_024);
let drawn = pool.length;

function nextUint32(): number {
  if (drawn >= pool.length) {
    getRandomValues(pool);
    drawn = 0;
  }
  return pool[drawn++] as number;
}

const generator = new V7Generator({ nextUint32 });

export const newEventId = (): string => toEventId(generator.generate().toString());

function deliveryId(webhookId: string, header: string, value: string): string {
  const hex = createHash('sha256').update(`${webhookId}\n${header}\n${value}`).digest('hex');
  const variant = ((Number.parseInt(hex[16] as string, 16) & 0x3) | 0x8).toString(16);
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  return toEventId(id);
}
