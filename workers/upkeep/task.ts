import type { Services } from '../services.js';

/** One kind of housekeeping. It works in small pieces, so that it never holds up others. */
export interface UpkeepTask {
  name: string;
  /** Does what is due; answers how many things it saw to. */
  run(services: Services): Promise<number>;
}
