const BYTES = 16;

/** A value of an `Idempotency-Key` header. Not `randomUUID`, which browsers have on https: and loopback addresses only. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
