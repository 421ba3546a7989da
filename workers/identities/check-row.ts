import {
  checkEmail,
  checkIdentity,
  type IdentityRecord,
  parseIntegrationId,
  type RecordFault,
} from '../queues/identity-record.js';
import { badBytesOf, hasBadByte, showByte, showCell, textOf } from './byte-text.js';
import { unescapeFormula } from './formulas.js';
import type { Column, FieldName, Header } from './header.js';

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
   * email, integrationId, identity before normalizing, undecodable bytes as `\xNN`, without the escape that an
   * escaped column puts in front; '' where the row has no such cell.
   */
  cells: string[];
  errors: RowError[];
}

/** @returns the record that a row's cells say, or all that is wrong with them */
export function checkRow(cells: string[], { columns, width }: Header): IdentityRecord | RowError[] {
  if (cells.length !== width) return [wrongWidth(cells.length, width)];
  const email = checkCell(cells, columns.email, checkEmail);
  const integrationId = checkCell(cells, columns.integrationId, parseIntegrationId);
  const identity = checkCell(cells, columns.identity, checkIdentity);
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
  const shown = [columns.email, columns.integrationId, columns.identity].map((column) => {
    const text = showCell(cells[column.index] ?? '');
    return column.escaped ? unescapeFormula(text) : text;
  });
  return { line, cells: shown, errors };
}

/** @returns an error for each cell of a row, wanted or not, that holds undecodable bytes */
export function undecodable(cells: string[], { columns }: Header): RowError[] {
  return cells.flatMap((cell, index) => {
    if (!hasBadByte(cell)) return [];
    const field = FIELDS.find((name) => columns[name].index === index) ?? null;
    const [first] = badBytesOf(cell);
    const where = field === null ? ` in column ${index + 1}` : '';
    const message = `byte ${showByte(first?.byte ?? 0)} at offset ${first?.offset} cannot be decoded${where}`;
    return [{ field, code: 'undecodable_bytes', message }];
  });
}

const FIELDS: FieldName[] = ['email', 'integrationId', 'identity'];

function checkCell<T>(cells: string[], { index, escaped }: Column, check: (text: string) => T): T {
  const text = textOf(cells[index] ?? '');
  return check(escaped ? unescapeFormula(text) : text);
}

function errorOf(field: FieldName, checked: string | number | RecordFault): RowError[] {
  return typeof checked === 'object' ? [{ field, ...checked }] : [];
}

function wrongWidth(found: number, wanted: number): RowError {
  const message = `the row has ${found} ${found === 1 ? 'cell' : 'cells'}, the header has ${wanted}`;
  return { field: null, code: 'cell_count', message };
}
