/** What an event takes in memory beside its body: the request, its answer, its place in a batch. */
const OVERHEAD_BYTES = 4_096;
/** One integration may fill this part of the buffer, so that a flood of one leaves room for the others. */
const LARGEST_SHARE = 1 / 4;

/** Bounds the memory of all events that are being received or wait to be acknowledged. */
export class IntakeBuffer {
  readonly #limit: number;
  #held = 0;
  readonly #heldBy = new Map<string, number>();

  /** @param limit bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes room for an event of so many bytes, or more of it for one that has some. False: there is none. */
  take(webhookId: string, bytes: number): boolean {
    const held = this.#heldBy.get(webhookId) ?? 0;
    if (this.#held + bytes > this.#limit || held + bytes > this.#limit * LARGEST_SHARE) return false;
    this.#held += bytes;
    this.#heldBy.set(webhookId, held + bytes);
    return true;
  }

  get heldBytes(): number {
    return this.#held;
  }

  give(webhookId: string, bytes: number): void {
    this.#held -= bytes;
    const held = (this.#heldBy.get(webhookId) ?? 0) - bytes;
    if (held > 0) this.#heldBy.set(webhookId, held);
    else this.#heldBy.delete(webhookId);
  }

  /** Room that an event with a body of so many bytes needs. */
  static size(bodyBytes: number): number {
    return OVERHEAD_BYTES + bodyBytes;
  }
}
