import { createHash, getRandomValues } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { V7Generator } from 'uuidv7';
import { toEventId, toWideEventId } from '../../db/events/alerts/alert-id.js';

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
 * @param raw the body: the id of one that may list more items than other ids can number is a wide one
 */
export function eventIdFor(
  webhookId: string,
  { delivery, isUnverified, raw }: { delivery: DeliveryId | null; isUnverified: boolean; raw: string },
): string {
  return idFor(webhookId, { delivery, isUnverified }, mayHaveManyItems(raw));
}

/** Returns the ids of the events of a list. @param sizes of their bodies, about */
export function eventIdsFor(
  webhookId: string,
  { delivery, isUnverified }: { delivery: DeliveryId | null; isUnverified: boolean },
  { from, sizes }: { from: number; sizes: readonly number[] },
): string[] {
  return sizes.map((size, at) => {
    const own = delivery && { ...delivery, name: `${delivery.name}#${from + at}` };
    return idFor(webhookId, { delivery: own, isUnverified }, size >= 2 * MANY_ITEMS);
  });
}

function idFor(
  webhookId: string,
  { delivery, isUnverified }: { delivery: DeliveryId | null; isUnverified: boolean },
  isWide: boolean,
): string {
  const toId = isWide ? toWideEventId : toEventId;
  if (delivery === null) return toId(newId());
  const name = isUnverified ? `unverified ${delivery.name}` : delivery.name;
  return toId(hashedUuid(`${webhookId}\n${name}\n${delivery.value}`));
}

export const newEventId = (): string => toEventId(newId());

/** A list of so many items has as many commas. */
const MANY_ITEMS = 4_000;
/** In a JSON text that a mapping expands, escaped commas separate items too. */
const ESCAPED_COMMA = /u002c/i;

function mayHaveManyItems(raw: string): boolean {
  if (raw.length < 2 * MANY_ITEMS) return false;
  if (ESCAPED_COMMA.test(raw)) return true;
  let commas = 0;
  for (let at = raw.indexOf(','); at >= 0 && commas < MANY_ITEMS; at = raw.indexOf(',', at + 1)) commas += 1;
  return commas === MANY_ITEMS;
}

function hashedUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
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

/** Returns a new UUIDv7. */
export const newId = (): string => generator.generate().toString();
