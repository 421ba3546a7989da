import { watchSilence } from '../silence/watch.js';
import { readHeard } from './heard.js';
import type { UpkeepTask } from './task.js';

/**
 * Raises an alert for each integration that has had no event for longer than it promises, and resolves it with the next event. Both have the exact
 * times; only time in which Muster listened counts.
 */
export const checkSilence: UpkeepTask = {
  name: 'check-silence',
  async *run(services, turn) {
    const heard = await readHeard(services, turn);
    if (heard) yield* watchSilence(services, heard);
  },
};
