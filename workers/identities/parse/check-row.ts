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
import type { Column } from '../header/find-columns.js';
import type { Header } from '../header/header.js';
import type { RowError, ValueError } from '../record/errors.js';
import { checkEmail, checkIdentity, type IdentityRecord } from '../record/identity-record.js';
import { parseIntegrationId } from '../record/integration-id.js';
import { originalRow } from '../rejected/original-row.js';
import { MAX_CELL, ORIGINAL_ROW, type RejectedRow } from '../rejected/rejected-row.js';

/** The code of a row that names an integration which the upload does not mirror. */
export const NOT_MIRRORED = 'integration_id_not_mirrored';

/**
 * Checks a row.
 *
 * @param cells byte strings (see `byte-text.ts`)
 * @param allowed the only integrations that the row may name; undefined for any
 * @returns the record, or everything that is wrong with the row
 */
export function checkRow(
  cells: string[],
  header: Header,
  allowed?: ReadonlySet<number>,
): IdentityRecord | RowError[] {
  if (cells.length !== header.width) return [wrongWidth(cells.length, header.width)];
  const ascii = areAscii(cells);
  if (!ascii && cells.some(hasBadByte)) return checkUndecodable(cells, header);
  const { columns } = header;
  // A removal names no owner.
  const email = columns.email === null ? '' : checkEmail(valueIn(cells, columns.email, ascii));
  const named = header.integrationId ?? parseIntegrationId(valueIn(cells, columns.integrationId, ascii));
  const integrationId =
    allowed && typeof named === 'number' && !allowed.has(named) ? notMirrored(allowed) : named;
  const identity = checkIdentity(valueIn(cells, columns.identity, ascii));
  if (typeof email === 'string' && typeof integrationId === 'number' && typeof identity === 'string') {
    return { email, integrationId, identity };
  }
  return [
    ...errorOf('email', email),
    ...errorOf('integrationId', integrationId),
    ...errorOf('identity', originalIn(cells, header) === '' ? identity : pointToOriginal(identity)),
  ];
}

function notMirrored(allowed: ReadonlySet<number>): ValueError {
  const first = [...allowed].slice(0, MAX_IDS_SHOWN).join(', ');
  const message = `must be one of the mirrored integrations: ${first}${allowed.size > MAX_IDS_SHOWN ? ', …' : ''}`;
  return { code: NOT_MIRRORED, message };
}

const MAX_IDS_SHOWN = 10;

/** A rejected file leaves the identity empty if only its owner can tell what it should be. */
function pointToOriginal(checked: string | ValueError): string | ValueError {
  if (typeof checked === 'string' || checked.code !== 'identity_missing') return checked;
  const message = `must not be empty. The row was rejected before: enter the identity that is meant, see ${ORIGINAL_ROW}`;
  return { ...checked, message };
}

/** A row as it was read: its physical line, its cells as byte strings, and the bytes of its record. */
interface ReadRow {
  line: number;
  cells: string[];
  record: Buffer;
}

/** Returns a rejected row with what the rejected file needs. */
export function rejectRow({ line, cells, record }: ReadRow, errors: RowError[], header: Header): RejectedRow {
  const shown = FIELDS.map((field) => {
    const column = header.columns[field];
    if (column === null) return field === 'integrationId' ? String(header.integrationId) : '';
    const text = markCell((cells[column.index] ?? '').slice(0, MAX_CELL));
    return column.escaped ? unescapeFormula(text) : text;
  });
  const original = originalIn(cells, header) || originalRow(record);
  return { line, cells: shown, original, errors };
}

/** Returns the original row that a rejected file contains when it is uploaded again, or ''. */
function originalIn(cells: string[], { original, width }: Header): string {
  if (original === null || cells.length !== width) return '';
  return unescapeFormula(markCell(cells[original] ?? ''));
}

function areAscii(cells: string[]): boolean {
  for (const cell of cells) if (!isAscii(cell)) return false;
  return true;
}

function valueIn(cells: string[], column: Column | null, ascii: boolean): string {
  const cell = column === null ? '' : (cells[column.index] ?? '');
  const text = ascii ? cell : textOf(cell);
  return column?.escaped ? unescapeFormula(text) : text;
}

function errorOf(field: FieldName, checked: string | number | ValueError): RowError[] {
  return typeof checked === 'object' ? [{ field, ...checked }] : [];
}

function wrongWidth(found: number, wanted: number): RowError {
  const message = `the row has ${found} ${found === 1 ? 'cell' : 'cells'}, but the header has ${wanted}`;
  return { field: null, code: 'cell_count', message };
}

/**
 * Checks a row with undecodable bytes. They make the row invalid in any column: they show that the file has another
 * charset.
 */
function checkUndecodable(cells: string[], { columns, isAssumedUtf8 }: Header): RowError[] {
  const undecodables = cells.flatMap((cell, index) => {
    const field = FIELDS.find((name) => columns[name]?.index === index) ?? null;
    if (!hasBadByte(cell)) return [];
    const { message, ...error } = undecodable(field, cell, index);
    return [{ ...error, message: isAssumedUtf8 ? `${message}${suggestCharset(cell)}` : message }];
  });
  const others = FIELDS.filter((field) => {
    const column = columns[field];
    return column !== null && !hasBadByte(cells[column.index] ?? '');
  });
  return [
    ...undecodables,
    ...others.flatMap((field) => errorOf(field, CHECKS[field](valueIn(cells, columns[field], false)))),
  ];
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
  if (FORBIDDEN_TEXT.test(text)) return '';
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return ` as UTF-8. With ?charset=windows-1252 the cell would be ${shown}`;
}

/** Characters that the charset does not have, and control characters. */
const FORBIDDEN_TEXT = /[\uFFFD\p{Cc}]/u;
