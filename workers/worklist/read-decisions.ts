import type { FileStore } from '../../db/files/index.js';
import { DECISIONS, type DecisionChange } from '../../db/identities/worklist-decisions.js';
import { empty, errorsOf, type RowError, type ValueError } from '../identities/record/errors.js';
import { checkEmail, checkIdentity } from '../identities/record/identity-record.js';
import { parseIntegrationId } from '../identities/record/integration-id.js';
import { storedWorkbook } from '../identities/workbook/workbook.js';
import { ruleOfReason } from '../text/worklist-rules.js';
import { LIST_LIMITS } from './read-accounts.js';
import { type CellOf, readWorklist } from './worklist-columns.js';

/** Decisions as a file has them. */
export interface DecisionFile {
  changes: DecisionChange[];
  /** All rows, also those without a decision. */
  rows: number;
}

interface Reading {
  charset?: string | undefined;
  /** The file is an Excel workbook; `sheet` is the one to read. */
  workbook?: { sheet?: string | undefined } | undefined;
  /** The account system of all rows. */
  integrationId: number;
}

/**
 * Reads decisions from a CSV file or a workbook, such as a worklist that somebody has filled in: a row with an email and without a decision names the owner. Rows
 * without both say nothing.
 * @throws FileError as `readWorklist`
 */
export async function readDecisions(
  files: FileStore,
  key: string,
  { charset, workbook, integrationId }: Reading,
): Promise<DecisionFile> {
  const { maxBytes } = LIST_LIMITS;
  const source = workbook ? storedWorkbook(files, key, { ...workbook, maxBytes }) : files.read(key);
  let silent = 0;
  const check = (cell: CellOf) => {
    const row = decisionOf(cell, integrationId);
    if (row === null) silent += 1;
    return row;
  };
  const { values, rows } = await readWorklist(source, { charset, oneOf: ['decision', 'email'], check });
  return { changes: values, rows: rows + silent };
}

function decisionOf(cell: CellOf, integrationId: number): DecisionChange | RowError[] | null {
  const word = wordOf(cell('decision'));
  const sent = cell('email').trim();
  if (word === '' && sent === '') return null;
  const decision = word === '' ? 'owner' : DECISIONS.find((one) => one === word);
  const needsEmail = decision === 'owner' || decision === 'not_this_person';
  // A person who writes `not this person` into a worklist means its first candidate.
  const named = sent === '' && decision === 'not_this_person' ? cell('candidate1').trim() : sent;
  const identity = checkIdentity(cell('identity'));
  const email = !needsEmail ? null : named === '' ? empty('email') : checkEmail(named);
  const errors: RowError[] = errorsOf({
    integrationId: accountSystem(cell('integrationId'), integrationId),
    identity,
    decision: decision ?? UNKNOWN,
    email: email ?? '',
  });
  if (typeof identity !== 'string' || decision === undefined || (email && typeof email !== 'string'))
    return errors;
  if (errors.length > 0) return errors;
  return { identity, decision, email, suggested: suggestionOf(cell) };
}

/** Returns a decision as the API spells it: `Not this person` is `not_this_person`. */
const wordOf = (cell: string): string =>
  cell
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');

const UNKNOWN: ValueError = { code: 'decision_unknown', message: `must be one of ${DECISIONS.join(', ')}` };

function accountSystem(cell: string, integrationId: number): number | ValueError {
  if (cell.trim() === '' || parseIntegrationId(cell) === integrationId) return integrationId;
  return { code: 'other_integration', message: `must be ${integrationId}, the account system of the URL` };
}

const MAX_REASON = 500;

/** Returns the first candidate of a row; null if it has none, or not as a worklist has it. */
function suggestionOf(cell: CellOf): DecisionChange['suggested'] {
  const email = checkEmail(cell('candidate1'));
  const score = Number(cell('score1'));
  const reason = cell('reason1').trim().slice(0, MAX_REASON);
  if (typeof email !== 'string' || reason === '' || !Number.isInteger(score) || score < 0 || score > 100)
    return null;
  return { email, score, reason, rule: ruleOfReason(reason) };
}
