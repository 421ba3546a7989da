/** What a benchmark may use. The servers are its own: throw-away, durable, on a real disk. */
export interface BenchContext {
  databaseUrl: string;
  redisUrl: string;
  /** Process ids of the servers, to tell what they spent. */
  pids: { mariadb: number; redis: number };
  /** For files; removed afterwards. */
  folder: string;
  rows: number;
  runs: number;
  /** Tells a person how it goes. */
  say(line: string): void;
}

/** Ours beside the floor, measured in one run: medians, and ratio = ours ÷ floor in speed, so that more is better. */
export interface BenchResult {
  name: string;
  ratio: number;
  ours: number;
  floor: number;
  unit: string;
  p99Ratio?: number;
  rssMb?: number;
}

export type Benchmark = (context: BenchContext) => Promise<BenchResult>;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Rounded for people: three significant digits. */
export const round = (value: number): number => Number(value.toPrecision(3));
