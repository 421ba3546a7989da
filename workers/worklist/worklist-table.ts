import { type Cell, CsvTable } from '../export/csv.js';
import type { Account, Candidate } from './account.js';
import { MAX_CANDIDATES } from './ranking.js';

const places = Array.from({ length: MAX_CANDIDATES }, (_, at) => at + 1);
const COLUMNS = [
  'email',
  'integrationId',
  'identity',
  'displayName',
  'accountEmail',
  ...places.flatMap((place) => [`candidate${place}`, `score${place}`, `reason${place}`]),
];
/** Columns with text of clients. */
const TEXT_COLUMNS = [
  'email',
  'identity',
  'displayName',
  'accountEmail',
  ...places.map((place) => `candidate${place}`),
];

/**
 * Returns the columns of a worklist. The first three are those of an upload, the email still empty: the others are ignored when the file is
 * uploaded.
 */
export const worklistTable = (escapeFormulas: boolean): CsvTable =>
  new CsvTable(COLUMNS, escapeFormulas ? TEXT_COLUMNS : []);

/** Returns the row of an account that has no owner. */
export function worklistRow(
  { identity, name, email }: Account,
  integrationId: number,
  candidates: readonly Candidate[],
): Cell[] {
  const cells = places.flatMap((place): Cell[] => {
    const candidate = candidates[place - 1];
    return candidate ? [candidate.email, candidate.score, candidate.reason] : [null, null, null];
  });
  return [null, integrationId, identity, name, email, ...cells];
}
