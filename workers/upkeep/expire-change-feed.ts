import { expireFeed, settleUnnumbered } from '../../db/identities/feed-upkeep.js';
import { inBatches } from './delete-old-rows.js';
import type { UpkeepTask } from './task.js';

/** Parts are blobs of some 35 KB. */
const PARTS = 100;

/** Deletes what is older than `IDENTITY_CHANGES_DAYS` from the feed of changes. */
export const expireFeedParts: UpkeepTask = {
  name: 'expire-identity-changes',
  removes: 'identity_changes',
  async *run({ database }, turn) {
    const before = turn.expiry('identity-changes');
    let after = 0;
    yield* inBatches(async (limit) => {
      const { count, last } = await expireFeed(database, { after, before }, limit);
      after = last;
      return count;
    }, PARTS);
  },
};

/** Notes a gap in the feed of changes where workers of the previous release have changed identities. */
export const settleUnnumberedParts: UpkeepTask = {
  name: 'settle-unnumbered-changes',
  async *run({ database }) {
    yield* inBatches((limit) => settleUnnumbered(database, limit), PARTS);
  },
};
