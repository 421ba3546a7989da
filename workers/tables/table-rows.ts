import { hashOfKey, keyOf, lengthOfKey, MAX_KEY, type Matching } from '../../db/lookups/lookup-keys.js';
import { FileError, type RowError } from '../identities/record/errors.js';
import { isLostValue } from '../identities/record/lost-value.js';
import type { KeyLines } from './key-lines.js';

const MAX_COLUMNS = 20;
/** In UTF-16 units. */
const MAX_NAME = 100;
const MAX_CELL = 4_000;

/** A valid row of an upload. */
export interface TableRow {
  keyHash: Buffer;
  /** See {@link cellsText}. */
  cells: string;
}

interface TableRules {
  matching: Matching;
  /** Whether values that a spreadsheet lost are accepted. */
  keepsLost: boolean;
  place: 'line' | 'index';
}

const KEY_MISSING = { code: 'key_missing', message: 'must not be empty: it is part of the key' };
const FORBIDDEN_NAME = /[\p{Cc}\p{Cs}]/u;
/** Half of a surrogate pair, which no UTF-8 file can contain, and NUL, which no CSV file can. */
const FORBIDDEN = /[\0\p{Cs}]/u;

/** Checks the rows of one reading of an upload, and collects what the table has to know of its keys. */
export class TableRows {
  readonly #keys: KeyLines;
  readonly #lengths = new Set<number>();
  readonly #rules: TableRules;

  /** @param keys those of earlier readings of the upload, or none */
  constructor(rules: TableRules, keys: KeyLines) {
    this.#rules = rules;
    this.#keys = keys;
  }

  /** The lengths of all keys, the longest first. */
  get lengths(): number[] {
    return [...this.#lengths].sort((a, b) => b - a);
  }

  /**
   * Checks a row.
   * @param keyColumns the indexes of the key columns
   * @param place its line or index
   */
  check(
    cells: readonly string[],
    place: number,
    { columns, keyColumns }: { columns: readonly string[]; keyColumns: readonly number[] },
  ): TableRow | RowError[] {
    const errors: RowError[] = [];
    let at = 0;
    for (const cell of cells) {
      const error = this.#cellError(cell);
      if (error) errors.push({ field: columns[at] ?? null, ...error });
      at += 1;
    }
    const values = keyColumns.map((place) => cells[place] ?? '');
    if (values.some((value) => value.trim() === ''))
      for (const place of keyColumns)
        if ((cells[place] ?? '').trim() === '')
          errors.push({ field: columns[place] ?? null, ...KEY_MISSING });
    if (errors.length > 0) return errors;
    const field = keyColumns.length === 1 ? (columns[keyColumns[0] ?? 0] ?? null) : null;
    return this.#checkKey(keyOf(values), place, field, cells);
  }

  #cellError(cell: string): Omit<RowError, 'field'> | null {
    if (cell.length > MAX_CELL)
      return { code: 'cell_too_long', message: `must have at most ${MAX_CELL} characters` };
    if (FORBIDDEN.test(cell))
      return { code: 'forbidden_character', message: 'must not contain NUL or half of a surrogate pair' };
    if (this.#rules.keepsLost || !isLostValue(cell.trim())) return null;
    const message = `a spreadsheet lost this value: ${cell.trim().slice(0, 60)}. Restore it. If it is the real value, add damaged=keep`;
    return { code: 'cell_damaged', message };
  }

  #checkKey(
    key: string,
    place: number,
    field: string | null,
    cells: readonly string[],
  ): TableRow | RowError[] {
    const { matching, place: unit } = this.#rules;
    if (key.length > MAX_KEY)
      return [{ field, code: 'key_too_long', message: `the key must have at most ${MAX_KEY} characters` }];
    const keyHash = hashOfKey(matching, key);
    if (!keyHash)
      return [
        {
          field,
          code: 'key_not_a_network',
          message: 'must be an IP address, or a network such as 10.0.0.0/8',
        },
      ];
    const earlier = this.#keys.add(keyHash, place);
    if (earlier !== null)
      return [
        {
          field,
          code: 'key_repeated',
          message: `has the key of ${unit} ${earlier}. A table has one row for each key`,
        },
      ];
    const length = lengthOfKey(matching, key);
    if (length !== null) this.#lengths.add(length);
    return { keyHash, cells: cellsText(cells) };
  }
}

/** Checks the names of the columns of an upload. @throws FileError */
export function checkColumns(names: readonly string[]): void {
  if (names.length > MAX_COLUMNS)
    throw new FileError(
      'too_many_columns',
      `the file has ${names.length} columns; a table has at most ${MAX_COLUMNS}`,
    );
  for (const [at, name] of names.entries()) {
    if (name === '') throw new FileError('column_unnamed', `column ${at + 1} has no name`);
    if (name.length > MAX_NAME || FORBIDDEN_NAME.test(name))
      throw new FileError(
        'column_name_invalid',
        `the name of column ${at + 1} must have at most ${MAX_NAME} characters, without control characters`,
      );
    // No mapping can read it.
    if (name === '__proto__')
      throw new FileError('column_name_invalid', `column ${at + 1} must not be called __proto__`);
    if (names.indexOf(name) !== at)
      throw new FileError('column_repeated', `two columns are called ${JSON.stringify(name)}`);
  }
}

/** Returns cells as they are stored: a JSON array, without the empty ones at the end. A JSON upload may name a column in a later row only. */
export const cellsText = (cells: readonly string[]): string =>
  JSON.stringify(
    cells.at(-1) === '' ? cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1) : cells,
  );
