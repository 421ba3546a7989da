const BYTES = 16;

/**
 * Returns a random value for an `Idempotency-Key` header. It does not use `randomUUID`, which browsers have on https: and
 * loopback addresses only.
 */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
