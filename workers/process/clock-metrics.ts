import type { Registry } from 'prom-client';
import type { ClockWatch } from '../clocks/clock-watch.js';
import { CallbackMetrics } from './metrics.js';

/** Adds how far the clocks of Redis and of the database are ahead of this host's. A clock that could not be read yet is left out. */
export function exposeClocks(registry: Registry, clock: ClockWatch): void {
  new CallbackMetrics(registry).gauges(
    'muster_clock_offset_seconds',
    "How far a server's clock is ahead of this host's, by server",
    'server',
    () =>
      Object.entries(clock.offsets).flatMap(([server, ms]) =>
        ms === null ? [] : [[server, ms / 1_000] as const],
      ),
  );
}
