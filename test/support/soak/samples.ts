import { table } from '../../../scripts/text/table.js';
import { isGrowing, median, type Reading } from './growth.js';

/** A number that is read again and again during a test. */
export interface Measure {
  read: () => number | Promise<number>;
  /** How much it may grow in an hour, besides a tenth. Null if it grows by nature. */
  slack: number | null;
}

const HEADER = ['measure', 'first third', 'second third', 'last third', 'most'];

/** Reads measures at regular intervals, and tells which of them still grow at the end. */
export class Samples {
  readonly #measures: Record<string, Measure>;
  readonly #readings = new Map<string, Reading[]>();
  #timer: NodeJS.Timeout | null = null;
  #last: Promise<void> = Promise.resolve();
  #failure: unknown = null;

  constructor(measures: Record<string, Measure>) {
    this.#measures = measures;
  }

  start(everyMs: number): void {
    this.#timer = setInterval(() => {
      this.#last = this.#last
        .then(() => this.#take())
        .catch((error) => {
          this.#failure ??= error;
        });
    }, everyMs);
  }

  /** @throws the error of a measure that could not be read */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#last;
    if (this.#failure) throw this.#failure;
  }

  /** Returns the names of the measures that still grow, or that could not be read. */
  growing(): string[] {
    return Object.entries(this.#measures)
      .filter(([name, { slack }]) => slack !== null && isGrowing(this.#readings.get(name) ?? [], slack))
      .map(([name]) => name);
  }

  /** Returns the medians of each third of the time and the highest value of each measure, as a table. */
  table(): string {
    const rows = Object.keys(this.#measures).map((name) => {
      const most = Math.max(...this.#valuesOf(name));
      return [name, ...[...this.#medians(name), most].map((value) => Math.round(value).toLocaleString('en'))];
    });
    return table([HEADER, ...rows], [1, 2, 3, 4]).join('\n');
  }

  async #take(): Promise<void> {
    for (const [name, { read }] of Object.entries(this.#measures)) {
      const reading: Reading = [performance.now() / 3_600_000, await read()];
      this.#readings.set(name, [...(this.#readings.get(name) ?? []), reading]);
    }
  }

  #valuesOf(name: string): number[] {
    return (this.#readings.get(name) ?? []).map(([, value]) => value);
  }

  #medians(name: string): number[] {
    const values = this.#valuesOf(name);
    const end = (third: number) => Math.floor((values.length * third) / 3);
    return [0, 1, 2].map((third) => median(values.slice(end(third), end(third + 1))));
  }
}
