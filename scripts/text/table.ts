/** Rows of cells as lines whose columns stand below each other, two spaces apart. `right` are columns of numbers. */
export function table(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const [first = []] = rows;
  const widths = first.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] as number;
        return right.includes(column) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
}
