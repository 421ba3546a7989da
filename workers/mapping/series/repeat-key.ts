import { hash } from 'node:crypto';

/**
 * The keys of items without a `dedupKey`, in whose integration identical events are counted: they start with a space, which a key from a
 * payload never does, because it is trimmed. `db/events/alerts/alerts.ts` recognizes them by that space.
 */
const PREFIX = ' repeat:';

/** Returns the key of an item without one. `content`: what repetitions have in common. `item`: its number in the event. */
export const repeatKey = (windowSeconds: number, content: string, item: number): string =>
  `${PREFIX}${windowSeconds}:${content}:${item}`;

/**
 * Returns the text by which repetitions of an event are recognized.
 * @param body as it is stored
 * @param request the values of the request that the mapping reads
 */
export const contentOf = (body: Uint8Array | string, request: readonly unknown[]): string =>
  request.length === 0
    ? hash('sha256', body, 'base64url')
    : hash('sha256', JSON.stringify([hash('sha256', body), ...request]), 'base64url');

/**
 * Returns for how many milliseconds after the first item of an alert further items with this key are counted; null for a key from a payload.
 * It is part of the key because a later fold needs it, when the mapping may say something else.
 */
export const repeatWindowMs = (key: string): number | null =>
  key.startsWith(PREFIX) ? Number.parseFloat(key.slice(PREFIX.length)) * 1_000 : null;
