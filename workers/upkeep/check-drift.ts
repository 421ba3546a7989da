import { watchDrift } from '../drift/watch.js';
import type { UpkeepTask } from './task.js';

/** Raises an alert where the events of an integration no longer fit its mapping, and resolves it once they do. */
export const checkDrift: UpkeepTask = {
  name: 'check-drift',
  run: (services, turn) => watchDrift(services, turn.now),
};
