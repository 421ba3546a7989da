import { showCell } from '../decode/byte-text.js';
import { cut } from '../header/quote-name.js';

const SAMPLES = 3;
const MAX_SAMPLE = 80;
/** More bytes of a cell than a sample can have. A cell that is cut within a character shows it as undecodable. */
const MAX_BYTES = 2_000;

/** Collects the first different values of each column. */
export class ColumnSamples {
  readonly #values: Set<string>[];

  /** @param width the number of columns, from the first on */
  constructor(width: number) {
    this.#values = Array.from({ length: width }, () => new Set());
  }

  /** @param cells byte strings (see `byte-text.ts`) */
  take(cells: readonly string[]): void {
    cells.slice(0, this.#values.length).forEach((cell, index) => {
      const values = this.#values[index];
      if (!values || values.size === SAMPLES || cell === '') return;
      const value = showCell(cell.slice(0, MAX_BYTES)).trim();
      if (value !== '') values.add(cut(value, MAX_SAMPLE));
    });
  }

  of(index: number): string[] {
    return [...(this.#values[index] ?? [])];
  }
}
