import { setTimeout as sleep } from 'node:timers/promises';
import { allAgree, type ClockName, type Offsets, rightOffset, wrongClocks } from './compare-clocks.js';

const MEASURE_EVERY_MS = 2_000;
/** A question that takes longer says too little about the time. */
const ASK_WITHIN_MS = 1_500;
/** Above this, the host's clock was set, or the host was suspended. */
const STEP_MS = 1_000;
/** A host's clock that differs by less is used as it is, and is used again once it differs by half as much. */
const TOLERATED_MS = 2_000;
/** A correction stays as it is while measurements differ by less, so that the corrected time never goes back. */
const JITTER_MS = 1_000;

type Asked = keyof Offsets;

/** Return the time of a server in milliseconds since 1970. */
export type AskTime = Record<Asked, () => Promise<number>>;

/**
 * Compares the clock of this host with those of Redis and of the database, every 2 s, and corrects its time if the other two outvote it.
 *
 * Times of the servers are kept in relation to measured time (`performance.now()`), which nobody sets. A host's clock that is set is therefore
 * noticed at once: until the next measurement the time is not sure.
 */
export class ClockWatch {
  readonly #ask: AskTime;
  /** How far the clock of each server was ahead of measured time. */
  #servers: Record<Asked, number | null> = { redis: null, database: null };
  /** The same of this host's clock at the last measurement. */
  #host = hostAhead();
  /** The same of the right time, if this host's clock is not used. */
  #right: number | null = null;
  /** The same of the time at which all clocks agreed. */
  #agreed: number | null = null;
  /** The same of what the last measurement found to be right, or null if no two clocks agree. */
  #found: number | null = null;
  #measuring: Promise<void> | null = null;
  #measuringRedis: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;

  constructor(ask: AskTime) {
    this.#ask = ask;
  }

  /**
   * Measures now and every 2 s.
   * @param measured called after each measurement
   */
  start(measured: () => void = () => {}): void {
    const measure = () => void this.measure().then(measured);
    measure();
    this.#timer = setInterval(measure, MEASURE_EVERY_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#measuring;
  }

  /** Returns the right time in milliseconds since 1970 if it is sure, and else that of this host. */
  now(): number {
    return this.#right === null || this.#wasSet() ? Date.now() : Math.round(performance.now() + this.#right);
  }

  /** Whether at least two clocks agree about the time, and this host's has not been set since they were compared. */
  get isSure(): boolean {
    return this.#found !== null && !this.#wasSet();
  }

  /** How far the servers' clocks are ahead of this host's now. */
  get offsets(): Offsets {
    const host = hostAhead();
    const { redis, database } = this.#servers;
    return {
      redis: redis === null ? null : redis - host,
      database: database === null ? null : database - host,
    };
  }

  /** How far the right time is ahead of this host's clock now, in milliseconds; null if it is not sure. */
  get rightOffset(): number | null {
    return this.#found === null || this.#wasSet() ? null : this.#found - hostAhead();
  }

  /** The clocks that are more than a minute wrong. */
  get wrong(): ClockName[] {
    return wrongClocks(this.offsets, this.rightOffset);
  }

  /** Compares the clocks. Takes at most about 1.5 s, and never rejects. Concurrent callers share one measurement. */
  measure(): Promise<void> {
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = null;
    });
    return this.#measuring;
  }

  /** Compares the clocks, if that is necessary, until the time is sure. Returns whether it is. */
  async becomeSure(): Promise<boolean> {
    if (this.isSure) return true;
    const measuring = this.measure();
    // A database that does not respond is not waited for if Redis agrees.
    await this.#measuringRedis;
    if (!this.isSure) await measuring;
    return this.isSure;
  }

  async #measure(): Promise<void> {
    // Measured time stops while a host is suspended, so earlier measurements are worth nothing.
    if (this.#wasSet()) {
      this.#servers = { redis: null, database: null };
      this.#found = null;
    }
    this.#measuringRedis = this.#measureServer('redis');
    await Promise.all([this.#measuringRedis, this.#measureServer('database')]);
  }

  #judge(): void {
    this.#host = hostAhead();
    const { offsets } = this;
    const offset = rightOffset(offsets, this.#agreed === null ? null : this.#agreed - this.#host);
    this.#found = offset === null ? null : this.#host + offset;
    if (allAgree(offsets)) this.#agreed = this.#found;
    const tolerated = this.#right === null ? TOLERATED_MS : TOLERATED_MS / 2;
    const right = offset === null || Math.abs(offset) <= tolerated ? null : this.#host + offset;
    const isSame = right !== null && this.#right !== null && Math.abs(right - this.#right) < JITTER_MS;
    if (!isSame) this.#right = right;
  }

  async #measureServer(name: Asked): Promise<void> {
    const askedAt = performance.now();
    const asked = this.#ask[name]().catch(() => null);
    const time = await Promise.race([asked, sleep(ASK_WITHIN_MS, null, { ref: false })]);
    const receivedAt = performance.now();
    if (time === null || receivedAt - askedAt > ASK_WITHIN_MS) return;
    this.#servers[name] = time - (askedAt + receivedAt) / 2;
    this.#judge();
  }

  #wasSet(): boolean {
    return Math.abs(hostAhead() - this.#host) > STEP_MS;
  }
}

/** Returns how far this host's clock is ahead of measured time. */
const hostAhead = (): number => Date.now() - performance.now();
