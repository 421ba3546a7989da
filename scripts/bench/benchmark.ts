/** What a benchmark gets. The servers are temporary, durable, on a real disk, and used by no other benchmark. */
export interface BenchContext {
  databaseUrl: string;
  redisUrl: string;
  /** Process ids of the servers, to measure what they spend. */
  pids: { mariadb: number; redis: number };
  /** A folder for files, removed afterwards. */
  folder: string;
  rows: number;
  runs: number;
  /** Events and alerts that are stored before, where a benchmark has such. */
  stored: number;
  /** Prints a line of progress. */
  say(line: string): void;
}

/** Medians of Muster and the floor, measured in one run. The ratio is Muster's speed ÷ the floor's speed: higher is better. */
export interface BenchResult {
  name: string;
  ratio: number;
  ours: number;
  floor: number;
  unit: string;
  p99Ratio?: number;
  /** Other floors, by what they do, in the same unit. */
  otherFloors?: Record<string, number>;
  rssMb?: number;
}

export type Benchmark = (context: BenchContext) => Promise<BenchResult>;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Returns the value that so many percent of the values do not exceed. */
export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil((values.length * share) / 100) - 1] ?? Number.NaN;

/** Rounds to three significant digits. */
export const round = (value: number): number => Number(value.toPrecision(3));
