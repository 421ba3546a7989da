import { readWhole } from './read-xml.js';
import type { ZipEntries } from './zip-entries.js';

/** How a number is shown: by its digits, as a date or a time, or in another form, of which this is the code. */
export type NumberFormat = 'digits' | 'date' | { code: string };

/** Formats without a code in the file (ECMA-376-1 §18.8.30). Those of dates in East Asian and Thai languages are among them. */
const DIGITS = new Set([0, 1, 49]);
const DATES = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
  [71, 81],
] as const;

/** Codes that show each digit of a whole number and nothing else. `@` is text. */
const DIGIT_CODES = new Set(['General', '0', '#', '@', 'Standard']);

/** Returns the formats of a workbook, at the indexes that its cells name. */
export async function readNumberFormats(zip: ZipEntries, part: string): Promise<NumberFormat[]> {
  const codes = new Map<number, string>();
  const formats: NumberFormat[] = [];
  let isOfCells = false;
  await readWhole(part, zip.read(part), {
    open: (name, attributes) => {
      const id = Number(attributes.numFmtId ?? 0);
      if (name === 'numFmt') codes.set(id, attributes.formatCode ?? '');
      if (name === 'cellXfs') isOfCells = true;
      if (name === 'xf' && isOfCells) formats.push(formatOf(id, codes.get(id)));
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return formats;
}

function formatOf(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) {
    if (DIGITS.has(id)) return 'digits';
    return DATES.some(([first, last]) => id >= first && id <= last) ? 'date' : { code: `number ${id}` };
  }
  if (DIGIT_CODES.has(code)) return 'digits';
  return isDate(code) ? 'date' : { code };
}

const DATE_LETTERS = 'dmyhsDMYHS';
/** A duration in the unit of the letter. */
const DURATION = /^(?:h|m|s){1,9}$/i;

/** Returns whether a code shows a date or a time. Quoted and escaped text, colors and conditions have letters too. */
function isDate(code: string): boolean {
  for (let at = 0; at < code.length; at++) {
    const character = code.charAt(at);
    if (DATE_LETTERS.includes(character)) return true;
    if ('\\_*'.includes(character)) at += 1;
    else if (character === '"' || character === '[') {
      const end = code.indexOf(character === '"' ? '"' : ']', at + 1);
      if (end === -1) return false;
      if (character === '[' && DURATION.test(code.slice(at + 1, end))) return true;
      at = end;
    }
  }
  return false;
}
