import type { Services } from '../run/services.js';

/** One kind of housekeeping. It works in small pieces, so that it never holds up others. */
export interface UpkeepTask {
  name: string;
  /** Due in every so many turns; in each, unless said otherwise. */
  everyMinutes?: number;
  /** Does what is due; answers how many things it saw to. */
  run(services: Services): Promise<number>;
}
