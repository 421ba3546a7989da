import type { LaneHealth } from '../../db/outbox/lane-write.js';
import type { Verdict } from './presets/preset.js';
import { isBroken, limitedSeconds, probeInSeconds } from './retries.js';

/** How a destination does during one pass of its lane. */
export class Health {
  #failures: number;
  #isLongGone: boolean;
  #isOver = false;
  /** It is gone or asks to wait, whatever other requests find. */
  #isToldOff = false;
  #news: LaneHealth | null = null;

  constructor({ failures, isLongGone }: { failures: number; isLongGone: boolean }) {
    this.#failures = failures;
    this.#isLongGone = isLongGone;
  }

  /** Whether so many requests failed that one message at a time probes it. */
  get isBroken(): boolean {
    return isBroken(this.#failures);
  }

  /** Whether nothing more is sent in this pass: the destination is gone, was changed, fails, asks to wait, or another worker has the lane. */
  get isOver(): boolean {
    return this.#isOver;
  }

  end(): void {
    this.#isOver = true;
  }

  /** Notes what a response says of the destination. */
  learn(verdict: Verdict): void {
    const isDelivered = verdict.outcome === 'delivered';
    // Requests that were under way when the destination became unavailable do not make it wait for longer.
    if (this.#isToldOff || (this.#isOver && !isDelivered)) return;
    let [probeSeconds, stopped]: [number | null, string | null] = [null, null];
    if (isDelivered) {
      this.#failures = 0;
      this.#isLongGone = false;
    } else if (verdict.outcome === 'gone') {
      stopped = 'gone';
      this.#isToldOff = true;
    } else if (limitedSeconds(verdict) !== null) {
      probeSeconds = limitedSeconds(verdict);
      this.#isToldOff = true;
    } else {
      this.#failures += 1;
      probeSeconds = probeInSeconds(this.#failures);
      if (this.#isLongGone) stopped = 'failing';
    }
    if (this.#isToldOff || this.isBroken) this.#isOver = true;
    const hasSucceeded = isDelivered || this.#news?.hasSucceeded === true;
    this.#news = { failures: this.#failures, hasSucceeded, probeInSeconds: probeSeconds, stopped };
  }

  /** Returns what was learned since the last call; null: nothing. */
  takeNews(): LaneHealth | null {
    const news = this.#news;
    this.#news = null;
    return news;
  }
}
