import type { Services } from '../run/services.js';

/** One upkeep task. It works in small batches, so that it does not delay the others. */
export interface UpkeepTask {
  name: string;
  /** Interval in minutes. Default: 1. */
  everyMinutes?: number;
  /** Does what is due, and returns the number of items handled. */
  run(services: Services): Promise<number>;
}
