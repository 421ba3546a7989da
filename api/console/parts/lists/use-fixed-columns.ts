import { type RefObject, useLayoutEffect, useState } from 'react';
import { SHORT } from './use-row-window.ts';

interface Columns {
  /** The least width of the table, in pixels. */
  tableWidth: number;
  /** Shares of the table's width, in percent. */
  widths: string[];
}

/** Keeps the columns of a long list as wide as they are now. Otherwise they would change with the rows in view. */
export function useFixedColumns(head: RefObject<HTMLTableRowElement | null>, rowCount: number) {
  const isLong = rowCount > SHORT;
  const [columns, setColumns] = useState<Columns>();
  useLayoutEffect(() => {
    if (!isLong || !head.current) return setColumns(undefined);
    const cells = [...head.current.cells].map((cell) => cell.getBoundingClientRect().width);
    const tableWidth = cells.reduce((sum, width) => sum + width, 0);
    setColumns({ tableWidth, widths: cells.map((width) => `${(100 * width) / tableWidth}%`) });
  }, [head, isLong]);
  return columns;
}
