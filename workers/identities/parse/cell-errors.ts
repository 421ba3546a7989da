import type { Header } from '../header/header.js';
import type { RowError } from '../record/errors.js';
import type { Workbook } from '../workbook/workbook.js';
import type { CheckRow } from './collect-rows.js';

/** Returns the indexes of the columns that are read. */
export const indexesOf = ({ columns }: Pick<Header, 'columns'>): number[] =>
  Object.values(columns).flatMap((column) => column?.index ?? []);

/** Adds the errors of a workbook's cells to a check. The text of such a cell is not checked. */
export function withCellErrors<Value>(
  workbook: Workbook | null,
  { columns }: Pick<Header, 'columns'>,
  check: CheckRow<Value>,
): CheckRow<Value> {
  if (!workbook) return check;
  const fields = new Map<number, string>();
  for (const [field, column] of Object.entries(columns)) if (column) fields.set(column.index, field);
  return (cells, line) => {
    const found = new Map<string | null, RowError>();
    for (const { column, ...error } of workbook.errorsAt(line)) {
      const field = fields.get(column);
      if (field !== undefined) found.set(field, { field, ...error });
    }
    const checked = check(cells, line);
    if (found.size === 0) return checked;
    const others = Array.isArray(checked) ? checked.filter(({ field }) => !found.has(field)) : [];
    return [...found.values(), ...others];
  };
}
