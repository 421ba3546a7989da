import { toCsvLine } from '../export/csv.js';
import type { Source } from '../identities/parse/read-csv.js';
import { ruleOfReason, type WorklistRule } from '../text/worklist-rules.js';
import { type CellOf, readWorklist } from './worklist-columns.js';

/** A candidate with a score that is less than this below the best one is near it. */
const NEAR = 10;

/** An account, and the owner that a rule has found. */
export interface AcceptedRow {
  identity: string;
  email: string;
}

/**
 * Reads the rows of a worklist whose best candidate was found by one of the rules, and has no other candidate near it.
 * @throws FileError as `readWorklist`
 */
export async function readAccepted(source: Source, rules: ReadonlySet<WorklistRule>): Promise<AcceptedRow[]> {
  const check = (cell: CellOf): AcceptedRow | null => {
    const rule = ruleOfReason(cell('reason1'));
    if (rule === null || !rules.has(rule)) return null;
    const second = cell('score2');
    if (second !== '' && Number(cell('score1')) - Number(second) < NEAR) return null;
    return { identity: cell('identity'), email: cell('candidate1') };
  };
  const { values } = await readWorklist(source, { oneOf: ['candidate1'], check });
  return values;
}

/** Returns rows of an upload, the first ones with its header. */
export const uploadOf = (rows: readonly AcceptedRow[], integrationId: number, isFirst: boolean): string =>
  (isFirst ? toCsvLine(['email', 'integrationId', 'identity']) : '') +
  rows.map(({ email, identity }) => toCsvLine([email, integrationId, identity])).join('');
