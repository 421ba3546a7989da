/** Rows as lines of CSV. */
export class RowText {
  #text = '';
  /** The row that is being written, and its next column. */
  #row = 1;
  #column = 0;
  /** The cells of the first row that has any: a sheet leaves out those at the end of a row that are empty. */
  #width = 0;

  /** In UTF-16 units. */
  get length(): number {
    return this.#text.length;
  }

  /** Starts a row. Rows that the sheet leaves out are blank lines. */
  start(row: number): void {
    this.#endRow();
    this.#text += '\n'.repeat(row - this.#row);
    this.#row = row;
  }

  add(column: number, cell: string): void {
    if (cell === '') return;
    this.#text += ','.repeat(column - Math.max(0, this.#column - 1));
    this.#column = column + 1;
    this.#text += /[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  }

  end(): void {
    this.#endRow();
    this.#text += '\n';
  }

  take(): Buffer {
    const text = Buffer.from(this.#text);
    this.#text = '';
    return text;
  }

  #endRow(): void {
    if (this.#column > 0) {
      this.#width ||= this.#column;
      if (this.#column < this.#width) this.#text += ','.repeat(this.#width - this.#column);
    }
    this.#column = 0;
  }
}
