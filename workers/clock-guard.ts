import { APART_MS, describeOffset } from './clocks/compare-clocks.js';
import type { JobTaker } from './job-taker.js';
import type { WorkerServices } from './run/services.js';

/** Lets a worker take jobs only while this host's clock is right, and logs each change. */
export class ClockGuard {
  readonly #services: WorkerServices;
  readonly #taker: JobTaker;
  /** Why the worker takes no jobs, or null. */
  reason: string | null = 'its clock has not been compared yet';
  #isWarned = false;

  constructor(services: WorkerServices, taker: JobTaker) {
    this.#services = services;
    this.#taker = taker;
  }

  /** Lets the worker take jobs or not. Call it after each measurement. Returns whether that has changed. */
  check(): boolean {
    const { clock, closing } = this.#services;
    // Without a measurement the worker is as it was: then Redis does not respond, or the clock was just set.
    const { redis, database } = clock.offsets;
    if (closing.aborted || (redis === null && database === null)) return false;
    const wasHeld = this.#taker.isHeld;
    this.reason = whyHeld(clock.rightOffset);
    const isHeld = this.reason !== null;
    this.#taker.hold(isHeld);
    if (isHeld !== this.#isWarned) this.#report(isHeld);
    return isHeld !== wasHeld;
  }

  #report(isHeld: boolean): void {
    const { log } = this.#services;
    this.#isWarned = isHeld;
    if (isHeld)
      log.error(
        { reason: this.reason },
        'the worker takes no jobs until the clock is right; correct it with NTP',
      );
    else log.warn('the clock is right again; the worker takes jobs');
  }
}

function whyHeld(right: number | null): string | null {
  if (right === null) return 'no two of the clocks of the host, Redis and the database agree';
  if (Math.abs(right) <= APART_MS) return null;
  return `the clock of the host is ${describeOffset(-right)}`;
}
