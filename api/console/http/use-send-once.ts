import { useRef } from 'react';
import { RequestFailure } from './request-failure.ts';

/**
 * Sends a change with an Idempotency-Key that stays the same until there is a response. Content that is sent again after
 * a lost response is applied once. Content that is sent again after a response is a new change.
 */
export function useSendOnce() {
  const last = useRef<{ content: string; key: string } | null>(null);
  return async <Result>(content: unknown, send: (key: string) => Promise<Result>): Promise<Result> => {
    const text = JSON.stringify(content);
    if (last.current?.content !== text) last.current = { content: text, key: newIdempotencyKey() };
    try {
      const result = await send(last.current.key);
      last.current = null;
      return result;
    } catch (error) {
      if (!(error instanceof RequestFailure && error.isTemporary)) last.current = null;
      throw error;
    }
  };
}

const BYTES = 16;

/**
 * Returns a random value for an `Idempotency-Key` header. It does not use `randomUUID`, which browsers have on https: and
 * loopback addresses only.
 */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
