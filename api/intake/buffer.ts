import { RequestError } from '../http/errors.js';

/** Memory that an event takes besides its body: the request, the response, its entry in a batch. */
const OVERHEAD_BYTES = 4_096;
/** The share of the buffer that one integration may fill, so that a flood of events leaves room for the others. */
const LARGEST_SHARE = 1 / 4;

/** Limits the memory of all events that are being received or wait to be acknowledged. */
export class IntakeBuffer {
  readonly #limit: number;
  #held = 0;
  readonly #heldBy = new Map<string, number>();

  /** @param limit bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Reserves bytes for an event. Returns false, and reserves nothing, if they do not fit. */
  reserve(webhookId: string, bytes: number): boolean {
    const held = this.#heldBy.get(webhookId) ?? 0;
    if (this.#held + bytes > this.#limit || held + bytes > this.#limit * LARGEST_SHARE) return false;
    this.#held += bytes;
    this.#heldBy.set(webhookId, held + bytes);
    return true;
  }

  get heldBytes(): number {
    return this.#held;
  }

  /** Releases bytes that were reserved. */
  release(webhookId: string, bytes: number): void {
    this.#held -= bytes;
    const held = (this.#heldBy.get(webhookId) ?? 0) - bytes;
    if (held > 0) this.#heldBy.set(webhookId, held);
    else this.#heldBy.delete(webhookId);
  }

  /** Returns the size of the largest body that a buffer with this limit takes. */
  static largestBody(limit: number): number {
    return Math.floor(limit * LARGEST_SHARE) - OVERHEAD_BYTES;
  }

  /** Returns the bytes to reserve for an event with a body of this size. */
  static size(bodyBytes: number): number {
    return OVERHEAD_BYTES + bodyBytes;
  }
}

/** An event's share of the intake buffer, held from before its body is read until the response. */
export class BufferReservation {
  readonly #buffer: IntakeBuffer;
  readonly #webhookId: string;
  #bytes = 0;

  constructor(buffer: IntakeBuffer, webhookId: string, bodyBytes: number) {
    this.#buffer = buffer;
    this.#webhookId = webhookId;
    this.growTo(bodyBytes);
  }

  growTo(bodyBytes: number): void {
    const more = IntakeBuffer.size(bodyBytes) - this.#bytes;
    if (more <= 0) return;
    if (!this.#buffer.reserve(this.#webhookId, more)) throw busy('Too many events are being received');
    this.#bytes += more;
  }

  release(): void {
    this.#buffer.release(this.#webhookId, this.#bytes);
  }
}

/** Returns the error for an event that does not fit now. The sender should retry. */
export const busy = (why: string): RequestError =>
  new RequestError(503, 'overloaded', `${why}. The event was not accepted; send it again later.`, {
    headers: { 'Retry-After': '5' },
  });
