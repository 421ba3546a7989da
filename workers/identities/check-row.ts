import { unescapeFormula } from '../export/formulas.js';
import {
  checkEmail,
  checkIdentity,
  type IdentityRecord,
  parseIntegrationId,
  type RecordFault,
} from '../queues/identity-record.js';
import { firstBadByte, hasBadByte, isAscii, showByte, showCell, textOf } from './byte-text.js';
import { type Column, FIELDS, type FieldName, type Header } from './header.js';

export interface RowError {
  /** The field, or null if the row as such is at fault. */
  field: FieldName | null;
  code: string;
  message: string;
}

export interface RefusedRow {
  /** Physical line, from 1, where the row starts. */
  line: number;
  /**
   * email, integrationId, identity before normalizing, undecodable bytes as `\xNN`, without the `'` that an
   * escaped column puts in front; '' where the row has no such cell.
   */
  cells: string[];
  errors: RowError[];
}

/**
 * @param cells byte strings (see `byte-text.ts`)
 * @returns the record that they say, or all that is wrong with them
 */
export function checkRow(cells: string[], header: Header): IdentityRecord | RowError[] {
  if (cells.length !== header.width) return [wrongWidth(cells.length, header.width)];
  const ascii = areAscii(cells);
  if (!ascii && cells.some(hasBadByte)) return checkSpoilt(cells, header);
  const { columns } = header;
  const email = checkEmail(valueIn(cells, columns.email, ascii));
  const integrationId = parseIntegrationId(valueIn(cells, columns.integrationId, ascii));
  const identity = checkIdentity(valueIn(cells, columns.identity, ascii));
  if (typeof email === 'string' && typeof integrationId === 'number' && typeof identity === 'string') {
    return { email, integrationId, identity };
  }
  return [
    ...errorOf('email', email),
    ...errorOf('integrationId', integrationId),
    ...errorOf('identity', identity),
  ];
}

/** @returns the row as the rejected file shows it */
export function refuse(line: number, cells: string[], errors: RowError[], { columns }: Header): RefusedRow {
  const shown = FIELDS.map((field) => {
    const { index, escaped } = columns[field];
    const text = showCell(cells[index] ?? '');
    return escaped ? unescapeFormula(text) : text;
  });
  return { line, cells: shown, errors };
}

function areAscii(cells: string[]): boolean {
  for (const cell of cells) if (!isAscii(cell)) return false;
  return true;
}

function valueIn(cells: string[], { index, escaped }: Column, ascii: boolean): string {
  const cell = cells[index] ?? '';
  const text = ascii ? cell : textOf(cell);
  return escaped ? unescapeFormula(text) : text;
}

function errorOf(field: FieldName, checked: string | number | RecordFault): RowError[] {
  return typeof checked === 'object' ? [{ field, ...checked }] : [];
}

function wrongWidth(found: number, wanted: number): RowError {
  const message = `the row has ${found} ${found === 1 ? 'cell' : 'cells'}, the header has ${wanted}`;
  return { field: null, code: 'cell_count', message };
}

/** Undecodable bytes spoil the row wherever they stand: they show that the file is not in the charset it is read in. */
function checkSpoilt(cells: string[], { columns }: Header): RowError[] {
  const spoilt = cells.flatMap((cell, index) => {
    const field = FIELDS.find((name) => columns[name].index === index) ?? null;
    return hasBadByte(cell) ? [undecodable(field, cell, index)] : [];
  });
  const others = FIELDS.filter((field) => !hasBadByte(cells[columns[field].index] ?? ''));
  return [
    ...spoilt,
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
