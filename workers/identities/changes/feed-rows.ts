import type { FedChange } from '../../../db/identities/identity-feed.js';
import { CsvTable } from '../../export/csv.js';

/** What happened to the owner of an account, in the words of the changes file of a job and of the history of an account. */
export const FEED_OUTCOMES = ['created', 'updated', 'removed'] as const;

export interface PresentedChange extends FedChange {
  outcome: (typeof FEED_OUTCOMES)[number];
}

/** Returns a change as JSON has it. */
export function presentChange(change: FedChange): PresentedChange {
  const { integrationId, identity, before, after, jobId, changedAt } = change;
  const outcome = before === null ? 'created' : after === null ? 'removed' : 'updated';
  return { integrationId, identity, outcome, before, after, jobId, changedAt };
}

const COLUMNS = ['integrationId', 'identity', 'before', 'after', 'outcome', 'jobId', 'changedAt'];
const FROM_UPLOADS = ['identity', 'before', 'after'];

/** Returns changes as CSV with a header. An account without an owner has an empty cell. */
export function toCsv(changes: readonly FedChange[], escapeFormulas: boolean): string {
  const table = new CsvTable(COLUMNS, escapeFormulas ? FROM_UPLOADS : []);
  const rows = changes.map((change) => {
    const { integrationId, identity, before, after, outcome, jobId, changedAt } = presentChange(change);
    return [integrationId, identity, before, after, outcome, jobId, changedAt];
  });
  return table.header + table.lines(rows);
}

/** Returns changes as lines of JSON. */
export function toNdjson(changes: readonly FedChange[]): string {
  let text = '';
  for (const change of changes) text += `${JSON.stringify(presentChange(change))}\n`;
  return text;
}
