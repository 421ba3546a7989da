import type { ValueError } from '../record/errors.js';
import type { NumberFormat } from './number-formats.js';
import type { SharedStrings } from './shared-strings.js';
import { damaged } from './zip-entries.js';

/** A cell as the file has it. */
export interface RawCell {
  /** Such as `B7`. */
  place: string;
  /** `s` shared string, `inlineStr`, `str` result of a formula, `b`, `e` error, `d` date, `n` number. */
  type: string;
  /** The index of its format. */
  format: number;
  isFormula: boolean;
  /** Its value, as it is written; null if it has none. */
  value: string | null;
}

/** What a person sees in a cell, and why an upload cannot be sure of that. */
export interface ReadCell {
  text: string;
  error: ValueError | null;
}

const AS_TEXT = 'Format the column as text, and enter the value again';
/** Excel keeps 15 digits of a number and writes zeros for the others. */
const MAX_NUMBER = 1e15;

/** What the values of cells refer to. */
export interface CellParts {
  strings: SharedStrings | null;
  formats: readonly NumberFormat[];
  /** Whether the results of formulas are not stored. What the file has instead, often 0, means nothing. */
  lacksResults: boolean;
}

/** Returns the text of a cell, and its error if it is not certain to be what a person sees. */
export function readCell(
  cell: RawCell,
  sheet: string,
  { strings, formats, lacksResults }: CellParts,
): ReadCell {
  const { value, type } = cell;
  const wrong = (code: string, message: string): ReadCell => ({
    // Never empty, because rows of empty cells are skipped.
    text: value || 'formula',
    error: { code, message: `cell ${cell.place} of the sheet ${JSON.stringify(sheet)} ${message}` },
  });
  const isEmpty = value === null || (value === '' && type === 'n');
  if (isEmpty && !cell.isFormula) return { text: '', error: null };
  if (isEmpty || (cell.isFormula && lacksResults)) {
    return wrong(
      'formula_without_value',
      'has a formula without a result. Open the workbook in a spreadsheet program, and save it',
    );
  }
  if (type === 's') {
    if (!strings) throw damaged('it has no shared strings');
    return toText(strings.get(value), wrong);
  }
  if (type === 'inlineStr' || type === 'str' || type === 'e') return toText(value, wrong);
  if (type === 'b') return { text: value === '1' || value === 'true' ? 'TRUE' : 'FALSE', error: null };
  if (type === 'd') return wrong('cell_is_date', `is a date. ${AS_TEXT}`);
  if (type !== 'n') throw damaged(`the cell ${cell.place} is of the unknown type ${JSON.stringify(type)}`);
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number))
    throw damaged(`the cell ${cell.place} has the number ${JSON.stringify(value)}`);
  const format = formats.length === 0 ? 'digits' : formats[cell.format];
  if (!format) throw damaged(`the cell ${cell.place} has the format ${cell.format}, which does not exist`);
  if (format === 'date') return wrong('cell_is_date', `is a date or a time. ${AS_TEXT}`);
  if (!Number.isInteger(number))
    return wrong('number_not_whole', `has the number ${value}, which may be shown rounded. ${AS_TEXT}`);
  if (Math.abs(number) >= MAX_NUMBER)
    return wrong(
      'number_rounded',
      `has the number ${value}, and spreadsheet programs keep only 15 digits. ${AS_TEXT}`,
    );
  if (format !== 'digits')
    return wrong(
      'number_format',
      `has the number ${number} and shows it in the format ${JSON.stringify(format.code)}. ${AS_TEXT}`,
    );
  return { text: String(number), error: null };
}

/** Characters that XML cannot contain are written as `_x000D_`, and such a text itself as `_x005F_x000D_` (ECMA-376-1 §22.9.2.19). */
const ESCAPE = /_x([0-9A-Fa-f]{4})_/g;
const LINE_BREAKS = /[\r\n]+/g;

/** Returns a text as it is shown. Rows of the text that is read are those of the sheet, so a cell must not have line breaks. */
function toText(raw: string, wrong: (code: string, message: string) => ReadCell): ReadCell {
  if (!/_x|[\r\n]/.test(raw)) return { text: raw, error: null };
  let unsure: string | undefined;
  const text = raw.replace(ESCAPE, (written, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    if (/[ -^`-~]|[^\0-\u007f]/.test(character)) unsure ??= written;
    return character;
  });
  if (unsure !== undefined)
    return {
      ...wrong('cell_escape', `contains ${unsure}, which some programs read as one character`),
      text: raw,
    };
  const trimmed = text.trim();
  if (!/[\r\n]/.test(trimmed)) return { text: trimmed, error: null };
  return { ...wrong('cell_line_break', 'has a line break'), text: trimmed.replace(LINE_BREAKS, ' ') };
}
