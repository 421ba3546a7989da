import iconv from 'iconv-lite';
import { unescapeFormula } from '../../export/formulas.js';
import {
  firstBadByte,
  hasBadByte,
  isAscii,
  markCell,
  originalBytes,
  showByte,
  textOf,
} from '../decode/byte-text.js';
import { FIELDS, type FieldName } from '../header/column-names.js';
import type { Column, ColumnChoice } from '../header/find-columns.js';
import type { Header } from '../header/header.js';
import { errorsOf, type RowError, type ValueError } from '../record/errors.js';
import { checkEmail, checkIdentity, type IdentityRecord } from '../record/identity-record.js';
import { parseIntegrationId } from '../record/integration-id.js';
import { withoutPadding } from '../record/padding.js';
import type { RowNotes } from '../record/row-notes.js';
import { originalRow } from '../rejected/original-row.js';
import { MAX_CELL, ORIGINAL_ROW, type RejectedRow } from '../rejected/rejected-row.js';
import { noRowError } from './no-row.js';

/** The code of a row that names an account system which the upload does not mirror. */
export const NOT_MIRRORED = 'integration_id_not_mirrored';

/** What a client says about the rows of a file, and what the reader notes about them. */
export interface RowRules {
  /** The only account systems that rows may name; undefined for any. */
  allowed: ReadonlySet<number> | undefined;
  /** What is wrong with a row that names another one. */
  outside: ValueError | undefined;
  /** Whether values that a spreadsheet lost are accepted as identities, and lines that do not look like a row as rows. */
  keepsLost: boolean;
  notes: RowNotes;
}

/** Returns which account systems the rows may name: those of a mirror, or the one of an upload link. */
export function allowedIn({
  integrationIds,
  choice,
}: {
  integrationIds?: ReadonlySet<number> | undefined;
  choice?: ColumnChoice | undefined;
}): Pick<RowRules, 'allowed' | 'outside'> {
  const only = choice?.onlyIntegrationId;
  if (only !== undefined) return { allowed: new Set([only]), outside: notOfLink(only) };
  return { allowed: integrationIds, outside: integrationIds && notMirrored(integrationIds) };
}

/**
 * Checks a row.
 *
 * @param cells byte strings (see `byte-text.ts`)
 * @returns the record, or everything that is wrong with the row
 */
export function checkRow(
  cells: string[],
  line: number,
  header: Header,
  { allowed, outside, keepsLost, notes }: RowRules,
): IdentityRecord | RowError[] {
  const text = textKind(cells);
  const unreadable = checkCells(cells, line, header, text, { keepsLost, notes });
  if (unreadable) return unreadable;
  const { columns } = header;
  const idCell = valueIn(cells, columns.integrationId, text);
  // A removal names no owner.
  const email = columns.email === null ? '' : checkEmail(valueIn(cells, columns.email, text));
  const named = header.integrationId ?? parseIntegrationId(idCell);
  const integrationId =
    allowed && outside && typeof named === 'number' && !allowed.has(named) ? outside : named;
  const identity = checkIdentity(valueIn(cells, columns.identity, text), keepsLost);
  if (typeof email === 'string' && typeof integrationId === 'number' && typeof identity === 'string') {
    if (text !== 'plain' || idCell.trim() !== idCell) notePadding(cells, line, header, notes);
    const record = { email, integrationId, identity };
    notes.addRecord(line, record, text === 'plain');
    return record;
  }
  const isRejectedAgain = originalIn(cells, header) !== '';
  return errorsOf({ email, integrationId, identity: isRejectedAgain ? pointToOriginal(identity) : identity });
}

/**
 * Removes empty cells that a row has after those of the header, or adds those that it lacks under columns without a name: spreadsheets write
 * neither reliably.
 *
 * @returns why the row cannot be read, or null
 */
export function checkCells(
  cells: string[],
  line: number,
  header: Header,
  text: TextKind,
  { keepsLost, notes }: Pick<RowRules, 'keepsLost' | 'notes'>,
): RowError[] | null {
  const noRow = keepsLost ? null : noRowError(cells, header);
  if (noRow) return [{ field: null, ...noRow }];
  const { width, namedWidth } = header;
  if (cells.length !== width) {
    const found = cells.length;
    const fits = found >= namedWidth && cells.slice(width).every((cell) => textOf(cell).trim() === '');
    if (!fits) return [wrongWidth(found, width)];
    while (cells.length < width) cells.push('');
    cells.length = width;
    notes.add('padding_removed', line, `${found} cells, the header has ${width}`);
  }
  return text === 'UTF-8' && cells.some(hasBadByte) ? checkUndecodable(cells, header) : null;
}

/** Notes the cells of a valid row that had padding. White space around a text is not worth a note. */
export function notePadding(cells: string[], line: number, { columns }: Header, notes: RowNotes): void {
  for (const field in columns) {
    const column = columns[field];
    if (!column || column.escaped) continue;
    const text = textOf(cells[column.index] ?? '');
    const bare = withoutPadding(field === 'integrationId' ? text.trim() : text);
    if (bare !== text) notes.add('padding_removed', line, `${field} ${JSON.stringify(text)}`);
  }
}

function notMirrored(allowed: ReadonlySet<number>): ValueError {
  const first = [...allowed].slice(0, MAX_IDS_SHOWN).join(', ');
  const message = `must be one of the mirrored account systems: ${first}${allowed.size > MAX_IDS_SHOWN ? ', …' : ''}`;
  return { code: NOT_MIRRORED, message };
}

const MAX_IDS_SHOWN = 10;

const notOfLink = (only: number): ValueError => ({
  code: 'integration_id_not_allowed',
  message: `must be ${only}, because this upload link is for one account system. Leave the column out, or move the row to another file`,
});

/** A rejected file leaves the identity empty if only its owner can tell what it should be. */
function pointToOriginal(checked: string | ValueError): string | ValueError {
  if (typeof checked === 'string' || checked.code !== 'identity_missing') return checked;
  const message = `must not be empty. The row was rejected before: enter the identity that is meant, see ${ORIGINAL_ROW}`;
  return { ...checked, message };
}

/**
 * Returns a rejected row with what the rejected file needs.
 *
 * @param record the bytes of its record (see `byte-text.ts`)
 */
export function rejectRow(
  { line, cells, record }: { line: number; cells: string[]; record: Buffer },
  errors: RowError[],
  header: Header,
): RejectedRow {
  const fields = FIELDS.map((field) => {
    const column = header.columns[field];
    if (!column) return field === 'integrationId' ? String(header.integrationId ?? '') : '';
    const text = markCell((cells[column.index] ?? '').slice(0, MAX_CELL));
    return column.escaped ? unescapeFormula(text) : withoutPadding(text);
  });
  const shown = header.names?.map((_, at) => markCell((cells[at] ?? '').slice(0, MAX_CELL)));
  const original = originalIn(cells, header) || originalRow(record);
  return { line, cells: shown ?? fields, original, errors };
}

/** Returns the original row that a rejected file contains when it is uploaded again, or ''. */
function originalIn(cells: string[], { original, width }: Header): string {
  if (original === null || cells.length !== width) return '';
  return unescapeFormula(markCell(cells[original] ?? ''));
}

/** What the cells of a row contain: ASCII that needs no attention, ASCII with signs of spreadsheets and encodings, or more. */
export type TextKind = 'plain' | 'ASCII' | 'UTF-8';

/** A character beyond ASCII, a quote, a sign of an encoding, or the start of what `withoutPadding` removes. */
const UNUSUAL = /[\x80-\xff"=%&?<\\]|^['`]/;

/** Looks at all cells of a row once, because an import does it for each row. */
export function textKind(cells: string[]): TextKind {
  for (const cell of cells) if (UNUSUAL.test(cell)) return cells.every(isAscii) ? 'ASCII' : 'UTF-8';
  return 'plain';
}

/** Returns the value of a cell without the marks of spreadsheets; '' if the file has no such column. */
export function valueIn(cells: string[], column: Column | null, text: TextKind): string {
  if (column === null) return '';
  const cell = cells[column.index] ?? '';
  if (column.escaped) return unescapeFormula(text === 'UTF-8' ? textOf(cell) : cell);
  return text === 'plain' ? cell : withoutPadding(textOf(cell));
}

function wrongWidth(found: number, wanted: number): RowError {
  const message = `the row has ${found} ${found === 1 ? 'cell' : 'cells'}, but the header has ${wanted}`;
  return { field: null, code: 'cell_count', message };
}

/**
 * Checks a row with undecodable bytes. They make the row invalid in any column: they show that the file has another
 * charset.
 */
function checkUndecodable(cells: string[], { columns, isAssumedUtf8, encoding }: Header): RowError[] {
  const undecodables = cells.flatMap((cell, index) => {
    const field = FIELDS.find((name) => columns[name]?.index === index) ?? null;
    if (!hasBadByte(cell)) return [];
    const { message, ...error } = undecodable(field, cell, index);
    const known = encoding === undefined ? '' : ` as ${encoding}`;
    return [{ ...error, message: `${message}${isAssumedUtf8 ? suggestCharset(cell) : known}` }];
  });
  const others = FIELDS.flatMap((field) => {
    const column = columns[field];
    if (!column || hasBadByte(cells[column.index] ?? '')) return [];
    return errorsOf({ [field]: CHECKS[field](valueIn(cells, column, 'UTF-8')) });
  });
  return [...undecodables, ...others];
}

const CHECKS = { email: checkEmail, integrationId: parseIntegrationId, identity: checkIdentity };

function undecodable(field: FieldName | null, cell: string, index: number): RowError {
  const { byte, offset } = firstBadByte(cell);
  const where = field === null ? ` in column ${index + 1}` : '';
  const message = `byte ${showByte(byte)} at offset ${offset}${where} cannot be decoded`;
  return { field, code: 'undecodable_bytes', message };
}

/** Characters of a cell that a message shows. */
const MAX_SHOWN = 60;

/**
 * Returns the end of a message that suggests Windows-1252. Most files that are not UTF-8 were saved by Excel on
 * Windows in Western Europe or America.
 */
function suggestCharset(cell: string): string {
  const text = iconv.decode(originalBytes(cell.slice(0, MAX_CELL)), 'windows-1252');
  if (FORBIDDEN_TEXT.test(text)) return ' as UTF-8';
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return ` as UTF-8. With ?charset=windows-1252 the cell would be ${shown}`;
}

/** Characters that the charset does not have, and control characters. */
const FORBIDDEN_TEXT = /[\uFFFD\p{Cc}]/u;
