import { setTimeout as sleep } from 'node:timers/promises';
import { isConflict } from './errors.js';

const MAX_TRIES = 20;

/** Does work, and repeats it if it was rolled back because of another transaction: up to 20 times, after random pauses of up to 1 s. */
export async function repeatConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error) || tries >= MAX_TRIES) throw error;
      await sleep(Math.random() * Math.min(20 * 2 ** tries, 1_000));
    }
  }
}
