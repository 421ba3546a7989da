import { escapeFormula } from '../../export/formulas.js';
import type { RowError } from '../record/errors.js';
import { checkEmail, checkIdentity } from '../record/identity-record.js';
import { parseIntegrationId } from '../record/integration-id.js';

/** A row of an upload that is not imported, with everything that is wrong with it. */
export interface RejectedRow {
  /** Physical line, from 1, where the row starts; in a JSON upload the index of the record, from 0. */
  line: number;
  /**
   * email, integrationId and identity before normalizing, at most {@link MAX_CELL} characters each, without the `'` of an
   * escaped column. An undecodable byte is U+FFFD and `\xNN`. '' where the row has no such cell.
   */
  cells: string[];
  /**
   * The whole record as it was first uploaded, without its line break; undecodable bytes as in `cells`. A row that comes
   * from a rejected file keeps the text that it has there. Longer records are cut, see `original-row.ts`.
   */
  original: string;
  errors: RowError[];
}

/** More characters of a cell than any value can have, even before normalizing. */
export const MAX_CELL = 8_192;

/** The name of the last column of a rejected file. */
export const ORIGINAL_ROW = 'originalRow';

/** The columns of a rejected file. An upload reads the first three and keeps the last one. */
export const REJECTED_COLUMNS = [
  'emailEscaped',
  'integrationId',
  'identityEscaped',
  'line',
  'code',
  'message',
  ORIGINAL_ROW,
];

/** Errors after which no cell can be trusted to be in its column. */
const OF_WHOLE_ROW = new Set(['cell_count', 'stray_quote']);

const LEFT_EMPTY = `identity was left empty. Enter the identity that is meant, see ${ORIGINAL_ROW}`;

/**
 * Returns a rejected row as the cells of a rejected file. A row with several errors has all of them in one cell.
 *
 * Its first three cells never form a valid record, so the row is rejected again until a person has edited it, even if
 * the other columns are deleted. Most rows are invalid by themselves. If the row as a whole is invalid (it has too
 * many cells, or a stray quote), nobody can tell which cell is wrong, so `identity` is left empty. This holds even if
 * another cell is invalid too: once that cell is corrected, the wrong identity would be accepted.
 *
 * @param action a removal has no email
 */
export function toRejectedCells(
  row: RejectedRow,
  action: 'assert' | 'remove' = 'assert',
): (string | number)[] {
  const { line, cells, original } = row;
  const [email = '', integrationId = '', identity = ''] = cells;
  const codes = codesOf(row);
  const messages = messagesOf(row);
  const isGuarded =
    identity !== '' &&
    (codes.some((code) => OF_WHOLE_ROW.has(code)) ||
      ((action === 'remove' || isValid(checkEmail(email))) &&
        isValid(parseIntegrationId(integrationId)) &&
        isValid(checkIdentity(identity, false))));
  if (isGuarded) messages.push(LEFT_EMPTY);
  return [
    escapeFormula(email),
    escapeFormula(integrationId),
    isGuarded ? '' : escapeFormula(identity),
    line,
    codes.join('; '),
    messages.join('; '),
    escapeFormula(original),
  ];
}

export const codesOf = ({ errors }: Pick<RejectedRow, 'errors'>): string[] => errors.map(({ code }) => code);

export const messagesOf = ({ errors }: Pick<RejectedRow, 'errors'>): string[] =>
  errors.map(({ field, message }) => (field ? `${field}: ${message}` : message));

const isValid = (checked: unknown): boolean => typeof checked !== 'object';
