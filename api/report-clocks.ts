import type { Logger } from 'pino';
import type { ClockWatch } from '../workers/clocks/clock-watch.js';

/** Returns a function that logs which clocks have become wrong, and when all are right again. Call it after each measurement. */
export function reportClocks(clock: ClockWatch, log: Logger): () => void {
  let before = '';
  return () => {
    const { offsets } = clock;
    const wrong = clock.wrong.join(', ');
    if (wrong === before) return;
    before = wrong;
    if (wrong === '') log.warn('the clocks of this host, Redis and the database agree again');
    else log.error({ wrong, aheadMs: offsets, isTimeSure: clock.isSure }, MESSAGE);
  };
}

const MESSAGE =
  'clocks are more than a minute wrong; correct them with NTP. Events get the time of those that are right, or 503 if no two agree';
