/** In each shard. Two: while the response to one batch is on its way, the next batch is sent. */
const IN_SHARD = 2;
/** In all shards together. More would only make batches smaller, and a batch costs as much as several events. */
const IN_ALL = 2;
/** A batch that takes longer leaves its place in all shards to another: a shard that does not respond must not hold up the others. */
const LATE_MS = 50;

/** Limits the batches that are in flight, in each shard and in all of them. */
export class Places {
  readonly #inShard: number[];
  readonly #changed: () => void;
  #inTime = 0;

  /** @param changed called when a place has become free */
  constructor(shards: number, changed: () => void) {
    this.#inShard = Array.from({ length: shards }, () => 0);
    this.#changed = changed;
  }

  /** Whether another batch may be sent to one of the shards. */
  get free(): boolean {
    return this.#inTime < IN_ALL && this.#inShard.some((taken) => taken < IN_SHARD);
  }

  /** Batches in flight. */
  get taken(): number {
    return this.#inShard.reduce((sum, taken) => sum + taken, 0);
  }

  /** Whether another batch may be sent to this shard. */
  isFree(shard: number): boolean {
    return (this.#inShard[shard] ?? 0) < IN_SHARD;
  }

  /** Takes a place in a shard. Returns a function that frees it. */
  take(shard: number): () => void {
    this.#inTime += 1;
    this.#add(shard, 1);
    let isInTime = true;
    const free = () => {
      if (isInTime) this.#inTime -= 1;
      isInTime = false;
      this.#changed();
    };
    const late = this.#inShard.length > 1 ? setTimeout(free, LATE_MS) : undefined;
    return () => {
      clearTimeout(late);
      this.#add(shard, -1);
      free();
    };
  }

  #add(shard: number, change: number): void {
    this.#inShard[shard] = (this.#inShard[shard] ?? 0) + change;
  }
}
