import type { Database } from '../../db/client/connect.js';
import { isTooSlow } from '../../db/client/errors.js';
import {
  type AccountSystemDay,
  countedOn,
  deleteDaysBefore,
  insertDay,
} from '../../db/identities/account-system-days.js';
import { listAccountSystems } from '../../db/identities/account-systems.js';
import { type Coverage, listIntegrationIds, readCoverage } from '../../db/identities/coverage.js';
import { listJobs } from '../../db/jobs/list-jobs.js';
import { DAY_MS } from '../../db/upkeep/horizons.js';
import { paramsOf } from '../queues/contracts/contract.js';
import { identityWorklist } from '../queues/contracts/identity-worklist.js';
import { inBatches } from './delete-old-rows.js';
import type { UpkeepTask } from './task.js';

/** Of one account system: about 3 million accounts with their owners, or 15 million without. */
const WITHIN_MS = 5_000;
const LIST_WITHIN_MS = 5_000;
const DAYS_KEPT_MS = 400 * DAY_MS;
/** Account systems that are listed at once. */
const PAGE = 1_000;
const WORKLISTS = 1_000;

/**
 * Records once a day how much of each account system is recorded, by the clock of the database. Reading a million accounts takes 1.3 s, so what takes too
 * long is not tried again on the same day.
 */
export const countAccountSystems: UpkeepTask = {
  name: 'count-account-systems',
  async *run({ database }, turn) {
    const day = new Date(Math.floor(+turn.now / DAY_MS) * DAY_MS);
    const counted = await countedOn(database, day);
    let worklists: Map<number, Worklist> | undefined;
    for await (const integrationId of accountSystems(database)) {
      if (counted.has(integrationId)) continue;
      worklists ??= await lastWorklists(database);
      const { accounts, owners } = await countWithin(database, integrationId);
      const { listed = null, withoutOwner = null } = worklists.get(integrationId) ?? {};
      const one: AccountSystemDay = { integrationId, day, accounts, owners, listed, withoutOwner };
      await insertDay(database, one);
      yield 1;
    }
  },
};

/** Deletes days that nobody looks at any more. */
export const deleteOldAccountSystemDays: UpkeepTask = {
  name: 'delete-old-account-system-days',
  async *run({ database }, turn) {
    const before = turn.ago(DAYS_KEPT_MS);
    yield* inBatches((limit) => deleteDaysBefore(database, before, limit));
  },
};

/** Yields the numbers of the account systems that have accounts, and of those that only have a name. */
async function* accountSystems(database: Database): AsyncGenerator<number> {
  const seen = new Set<number>();
  for (let after = 0; ; ) {
    const ids = await listIntegrationIds(database, { limit: PAGE, after, withinMs: LIST_WITHIN_MS });
    for (const id of ids) {
      seen.add(id);
      yield id;
    }
    if (ids.length < PAGE) break;
    after = ids.at(-1) ?? after;
  }
  for (const { integrationId } of await listAccountSystems(database, { limit: PAGE }))
    if (!seen.has(integrationId)) yield integrationId;
}

async function countWithin(
  database: Database,
  integrationId: number,
): Promise<Pick<Coverage, 'owners'> & { accounts: number | null }> {
  try {
    return await readCoverage(database, integrationId, WITHIN_MS);
  } catch (error) {
    if (!isTooSlow(error)) throw error;
    return { accounts: null, owners: null };
  }
}

interface Worklist {
  listed: number;
  withoutOwner: number;
}

/** Returns the last worklist of each account system, of the newest thousand. */
async function lastWorklists(database: Database): Promise<Map<number, Worklist>> {
  const filters = { type: identityWorklist.name, state: 'completed' };
  const jobs = await listJobs(database, filters, { limit: WORKLISTS });
  const last = new Map<number, Worklist>();
  for (const job of jobs) {
    const { integrationId } = paramsOf(job, identityWorklist);
    const { owned = 0, withCandidates = 0, withoutCandidates = 0, ...others } = job.counts ?? {};
    const { bot = 0, left = 0, later = 0 } = others;
    const withoutOwner = withCandidates + withoutCandidates + bot + left + later;
    if (!last.has(integrationId)) last.set(integrationId, { listed: owned + withoutOwner, withoutOwner });
  }
  return last;
}
