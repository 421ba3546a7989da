import type { Services } from '../services.js';
import { expireAlerts, expireEvents } from '../upkeep/expire-events.js';
import { settleIntakeGauge } from '../upkeep/settle-intake-gauge.js';
import type { UpkeepTask } from '../upkeep/task.js';

/** All housekeeping there is; a new kind is a file in `workers/upkeep` and a line here. */
const tasks: readonly UpkeepTask[] = [expireEvents, expireAlerts, settleIntakeGauge];

/** One turn of housekeeping: every task gets its turn, also after another one failed. */
export async function doUpkeep(services: Services): Promise<void> {
  for (const { name, run } of tasks) {
    if (services.closing.aborted) return;
    try {
      const count = await run(services);
      if (count > 0) services.log.info({ task: name, count }, 'upkeep');
    } catch (error) {
      services.log.warn(
        { task: name, error: (error as Error).message },
        'upkeep failed; the next turn tries again',
      );
    }
  }
}
