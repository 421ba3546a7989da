import { dueStates, type KeyedState } from '../../db/heartbeats/heartbeat-states.js';
import { storeReports } from '../events/store/report.js';
import { checkStates, saveChecked } from '../silence/check-heartbeats.js';
import { readHeard } from './heard.js';
import type { UpkeepTask } from './task.js';

/** Heartbeats in one step. */
const PAGE = 500;

/**
 * Raises an alert for each heartbeat that is late or runs too long. The alert begins when the grace period was over, not when upkeep found it, and
 * only time in which Muster listened counts.
 */
export const checkHeartbeats: UpkeepTask = {
  name: 'check-heartbeats',
  async *run(services, turn) {
    const { database } = services;
    const heard = await readHeard(services, turn);
    if (!heard) return;
    for (let after: KeyedState | null = null; ; ) {
      const due: KeyedState[] = await dueStates(database, heard.until, { after, limit: PAGE });
      const last = due.at(-1);
      if (!last) return;
      const checked = await checkStates(database, due, heard);
      const reports = checked.flatMap(({ report }) => report ?? []);
      await storeReports(services, reports);
      await saveChecked(database, checked);
      yield reports.length;
      if (due.length < PAGE) return;
      after = last;
    }
  },
};
