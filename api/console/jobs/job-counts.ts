import type { Job } from '../http/types.ts';
import { counted, wholeNumber } from '../text/quantities.ts';

interface Count {
  name: string;
  count: number;
  /** What is counted. */
  meaning: string;
}

type Counted = Pick<Job, 'type' | 'counts' | 'dryRun'>;

const IMPORT = {
  created: 'accounts that nobody owned',
  updated: 'given to another owner',
  unchanged: 'were so already',
  removed: 'belong to nobody now',
  notFound: 'belonged to nobody before',
  superseded: 'lost to a later upload',
  rejected: 'rows that are not right',
};

const REMAP = {
  events: 'mapped again',
  failed: 'no alert can be made of them',
  alerts: 'made of the events',
  added: 'alerts that were not there',
  changed: 'alerts that read otherwise now',
  unchanged: 'alerts that stay as they were',
  completed: 'alerts that were incomplete before',
  removed: 'alerts that are no longer made',
};

const MEANINGS: Record<string, Record<string, string>> = {
  'identity-import': IMPORT,
  'alert-remap': REMAP,
  'identity-export': { rows: 'in the file' },
  'alert-export': { rows: 'in the file' },
};

/** These say something only when they are not 0. */
const QUIET = new Set(['removed', 'notFound', 'superseded', 'rejected', 'failed']);

/** The counts of a job but their total, in the order in which they are told. */
export function listCounts({ type, counts }: Counted): Count[] {
  const given = counts ?? {};
  const meanings = MEANINGS[type] ?? {};
  const names = [...new Set([...Object.keys(meanings), ...Object.keys(given)])];
  return names
    .filter((name) => name !== 'total' && given[name] !== undefined)
    .filter((name) => !QUIET.has(name) || given[name] !== 0 || isAction(name, given))
    .map((name) => ({ name: spaced(name), count: given[name] as number, meaning: meanings[name] ?? '' }));
}

/** Of a removal, what was removed is told also when that is nothing. */
const isAction = (name: string, given: Record<string, number>): boolean =>
  name === 'removed' && given.created === undefined;

/** `100,000 rows: 99,998 created, 2 updated`; what is 0 is left out. */
export function describeCounts(job: Counted): string {
  const { total, rows } = job.counts ?? {};
  if (rows !== undefined) return counted(rows, 'row');
  const told = listCounts(job).filter(({ count }) => count > 0);
  const list = told.map(({ name, count }) => `${wholeNumber(count)} ${name}`).join(', ');
  return total === undefined ? list : `${counted(total, 'row')}: ${list || 'nothing done'}`;
}

const spaced = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
