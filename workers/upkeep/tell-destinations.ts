import {
  deleteMessagesBefore,
  deleteOldBeliefs,
  endMutes,
  expireWaiting,
} from '../../db/outbox/old-messages.js';
import { inBatches } from './delete-old-rows.js';
import type { UpkeepTask } from './task.js';

/** Ends messages that waited for a day or whose destination was deleted, and has destinations told of what still fires where an integration is no longer muted. */
export const settleMessages: UpkeepTask = {
  name: 'settle-messages',
  async *run(services) {
    const { database } = services;
    yield* inBatches((limit) => expireWaiting(database, limit));
    for await (const count of inBatches((limit) => endMutes(database, limit))) {
      services.wakeOutbox();
      yield count;
    }
  },
};

/** Deletes messages as long after they ended as events are kept, and what destinations know as long as alerts are: of deleted ones, at once. */
export const deleteOldMessages: UpkeepTask = {
  name: 'delete-old-messages',
  async *run({ database }, turn) {
    const before = turn.expiry('events');
    yield* inBatches((limit) => deleteMessagesBefore(database, before, limit));
    const known = turn.expiry('alerts');
    yield* inBatches((limit) => deleteOldBeliefs(database, known, limit));
  },
};
