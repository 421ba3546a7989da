import { damaged } from './zip-entries.js';

const [MAX_ROWS, MAX_COLUMNS] = [1_048_576, 16_384];
const [A, LETTERS] = [0x41, 26];

/** Returns the number of a row, which is above that of the row before it. */
export function rowOf(text: string | undefined, before: number): number {
  const row = text === undefined ? before + 1 : Number(text);
  if (Number.isInteger(row) && row > before && row <= MAX_ROWS) return row;
  throw damaged(`the row ${JSON.stringify(text ?? String(row))} follows the row ${before}`);
}

/** Returns the column of a cell, from 0, which is above that of the cell before it. */
export function columnOf(place: string | undefined, before: number): number {
  const column = place === undefined ? before + 1 : columnIn(place);
  if (column > before && column < MAX_COLUMNS) return column;
  throw damaged(`the cell ${JSON.stringify(place ?? nameOfColumn(column))} is not in the order of columns`);
}

/** Returns the column of a place such as `B7`, from 0; -1 if it names none. */
export function columnIn(place: string): number {
  let column = 0;
  for (let at = 0; at < 3; at++) {
    const letter = place.charCodeAt(at) - A;
    if (!(letter >= 0 && letter < LETTERS)) break;
    column = column * LETTERS + letter + 1;
  }
  return column - 1;
}

/** Returns the row of a place; 0 if it names none. */
export const rowIn = (place: string): number => Number(/\d{1,9}/.exec(place)?.[0] ?? 0);

export function nameOfColumn(column: number): string {
  let name = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / LETTERS))
    name = String.fromCharCode(A + ((rest - 1) % LETTERS)) + name;
  return name;
}
