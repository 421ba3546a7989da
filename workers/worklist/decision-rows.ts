import type { StoredDecision } from '../../db/identities/worklist-decisions.js';
import { CsvTable } from '../export/csv.js';

/** The first columns are those that an upload of decisions reads. */
const COLUMNS = [
  ...['integrationId', 'identity', 'decision', 'email', 'candidate1', 'score1', 'reason1'],
  ...['decidedBy', 'decidedAt'],
];
const TEXTS = ['identity', 'email', 'candidate1', 'reason1', 'decidedBy'];

/** Returns decisions as CSV with a header, which can be uploaded again. */
export function decisionsToCsv(
  decisions: readonly StoredDecision[],
  { integrationId, escapeFormulas }: { integrationId: number; escapeFormulas: boolean },
): string {
  const table = new CsvTable(COLUMNS, escapeFormulas ? TEXTS : []);
  const rows = decisions.map(({ identity, decision, email, suggested, decidedBy, decidedAt }) => [
    ...[integrationId, identity, decision, email],
    ...[suggested?.email ?? null, suggested?.score ?? null, suggested?.reason ?? null],
    ...[decidedBy.name, decidedAt.toISOString()],
  ]);
  return table.header + table.lines(rows);
}
