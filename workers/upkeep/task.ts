import type { ObjectKind } from '../../db/audit/entry.js';
import type { WorkerServices } from '../run/services.js';
import type { Turn } from './begin-turn.js';

/** One upkeep task. */
export interface UpkeepTask {
  name: string;
  /** What it removes that belongs to people: the audit log then has an entry for each turn that removed some. */
  removes?: ObjectKind;
  /**
   * Does what is due in small steps, and yields the number of items that each handled. `runTurn` decides when the next step runs, so that the
   * task delays neither the others nor live work. It may end the task after any step, which runs `finally`: each step leaves everything in order.
   * @throws UpkeepRefused before the first step that would remove something, see `Turn`
   */
  run(services: WorkerServices, turn: Turn): AsyncGenerator<number, void>;
}
