import type { Job } from '../http/types.ts';
import { counted, wholeNumber } from '../text/quantities.ts';

interface Count {
  name: string;
  count: number;
  /** Explains the count; empty if unknown. */
  meaning: string;
}

type Counted = Pick<Job, 'type' | 'counts' | 'dryRun'>;

const IMPORT = {
  created: 'accounts that had no owner',
  updated: 'accounts with a new owner',
  unchanged: 'accounts that were up to date',
  removed: 'accounts that have no owner now',
  notFound: 'accounts that had no owner',
  superseded: 'rows overridden by a later upload',
  rejected: 'invalid rows',
};

const REMAP = {
  events: 'mapped again',
  filtered: 'events that the filter drops',
  failed: 'events that create no alert',
  alerts: 'created from the events',
  added: 'new alerts',
  changed: 'alerts with different content',
  unchanged: 'alerts without changes',
  completed: 'alerts that were incomplete',
  removed: 'alerts that no longer exist',
  regrouped: 'with another key or status',
  changedByLookups: 'because a table or an owner has changed',
};

const REFOLD = {
  alerts: 'with a deduplication key',
  unchanged: 'alerts without changes',
  changed: 'alerts with other values',
  added: 'new alerts',
  removed: 'alerts that no longer exist',
  partial: 'of these, alerts without some of their events',
};

const REVERT = {
  restored: 'accounts that are as they were before',
  skipped: 'accounts that a later upload has asserted',
  removed: 'of the restored accounts, those that have no owner then',
};

const APPLY = {
  created: 'accounts that had no owner',
  updated: 'accounts with a new owner',
  removed: 'accounts that have no owner now',
  unchanged: 'accounts that had the planned owner already',
  conflicts: 'accounts that have changed since the dry run',
};

const FEED = {
  created: 'accounts that had no owner',
  updated: 'accounts with another owner than before',
  removed: 'accounts that the file does not name any more',
  unchanged: 'accounts that were up to date',
  rejected: 'invalid rows, which were left out',
  conflicts: 'accounts that changed between the plan and its application',
};

const RESOLVE = {
  resolved: 'alerts that were firing',
  reopened: 'alerts that fire again',
  skipped: 'alerts that had changed before',
};

const REPLAY = {
  replayed: 'messages that are sent again',
  superseded: 'messages with a newer one about the same key',
  skipped: 'messages that wait or were delivered',
  ends: 'messages of the end of alerts that are told now',
};

const WORKLIST = {
  withCandidates: 'accounts without an owner, with candidates',
  withoutCandidates: 'accounts without an owner, without candidates',
  owned: 'accounts that have an owner already',
  bot: 'accounts of bots, left out',
  left: 'accounts of people who have left, left out',
  later: 'accounts for later, left out',
  repeated: 'rows that name an account again',
};

const TABLE = {
  added: 'rows with a new key',
  changed: 'rows with other cells',
  unchanged: 'rows that stay',
  removed: 'rows that the upload does not have',
  rejected: 'invalid rows',
};

const MEANINGS: Record<string, Record<string, string>> = {
  'identity-import': IMPORT,
  'identity-revert': REVERT,
  'identity-apply': APPLY,
  'feed-run': FEED,
  'alert-remap': REMAP,
  'alert-refold': REFOLD,
  'alert-resolve': RESOLVE,
  'message-replay': REPLAY,
  'identity-worklist': WORKLIST,
  'table-upload': TABLE,
  'table-export': { rows: 'in the file' },
  'identity-export': { rows: 'in the file' },
  'alert-export': { rows: 'in the file' },
  'event-export': { rows: 'in the file' },
};

/** Counts that are shown only if they are not 0. Only removals, mirrors and remaps have `removed`, where 0 says something. */
const HIDDEN_IF_ZERO = new Set([
  'notFound',
  'superseded',
  'rejected',
  'filtered',
  'failed',
  'repeated',
  'bot',
  'left',
  'later',
  'partial',
  'regrouped',
  'changedByLookups',
  'ends',
]);

/** Returns the counts of a job in display order, without the total. */
export function listCounts({ type, counts }: Counted): Count[] {
  const given = counts ?? {};
  const meanings = MEANINGS[type] ?? {};
  const names = [...new Set([...Object.keys(meanings), ...Object.keys(given)])];
  return names
    .filter((name) => name !== 'total' && given[name] !== undefined)
    .filter((name) => !HIDDEN_IF_ZERO.has(name) || given[name] !== 0)
    .map((name) => ({ name: spaced(name), count: given[name] as number, meaning: meanings[name] ?? '' }));
}

/** Returns whether the counts are of a removal. An import has a `created` count. */
export const isRemoval = (counts: Job['counts']): boolean =>
  counts?.removed !== undefined && counts.created === undefined;

/** Returns the counts in one line without zeros, such as `100,000 rows: 99,998 created, 2 updated`. */
export function describeCounts(job: Counted): string {
  const { total, rows } = job.counts ?? {};
  if (rows !== undefined) return counted(rows, 'row');
  const shown = listCounts(job).filter(({ count }) => count > 0);
  const list = shown.map(({ name, count }) => `${wholeNumber(count)} ${name}`).join(', ');
  return total === undefined ? list : `${counted(total, 'row')}: ${list || 'no changes'}`;
}

const spaced = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
