const EQUALS = 0x3d;
const APOSTROPHE = 0x27;
/** A formula whose value is a text: programs write `="007"` so that a spreadsheet keeps the zeros. */
const TEXT_FORMULA = /^="((?:[^"]|"")*)"$/;
/** The mark of a text in a spreadsheet, before digits: `'007`. */
const TEXT_MARK = /^'(?=\d+$)/;

/** Returns a value as a CSV cell that {@link withoutPadding} turns into it again. */
export const withPadding = (value: string): string =>
  withoutPadding(value) === value ? value : `="${value.replaceAll('"', '""')}"`;

/** Returns the value of a CSV cell without the marks with which spreadsheets keep it a text. */
export function withoutPadding(cell: string): string {
  const first = cell.charCodeAt(0);
  if (first === EQUALS) return cell.replace(TEXT_FORMULA, (_, text: string) => text.replaceAll('""', '"'));
  return first === APOSTROPHE ? cell.replace(TEXT_MARK, '') : cell;
}
