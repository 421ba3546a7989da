import { type Benchmark, percentile, round } from './benchmark.js';
import { peakRssMb } from './children.js';
import { fillIdentities } from './filled-tables.js';
import { type BenchStack, startBenchStack } from './stack.js';

const SORTS = ['integrationId', 'email', 'updatedAt'] as const;
const PAGE_SIZE = 100;
const PAGES_A_ROUND = 25;

/**
 * Measures the p95 of a page of 100 after nine tenths of the rows. Floor: a page at the start of the list. Pages of both
 * depths alternate. The result is that of the sort order with the worst ratio.
 */
export const page: Benchmark = async (context) => {
  const stack = await startBenchStack(context);
  try {
    await fillIdentities(stack.database, context.rows);
    const results = [];
    for (const sort of SORTS) {
      const deep = await cursorBehind(stack, sort, Math.floor(context.rows * 0.9));
      const times = { start: [] as number[], deep: [] as number[] };
      await timePages(stack, sort, deep);
      for (let round = 0; round < 8 * context.runs; round++) {
        times.start.push(...(await timePages(stack, sort, null)));
        times.deep.push(...(await timePages(stack, sort, deep)));
      }
      const [floor, ours] = [percentile(times.start, 95), percentile(times.deep, 95)];
      const p99Ratio = round(percentile(times.start, 99) / percentile(times.deep, 99));
      context.say(
        `${sort}: p95 ${floor.toFixed(2)} ms at the start, ${ours.toFixed(2)} ms deep; median ` +
          `${percentile(times.start, 50).toFixed(2)} and ${percentile(times.deep, 50).toFixed(2)} ms`,
      );
      results.push({ ratio: floor / ours, ours, floor, p99Ratio });
    }
    const [worst] = results.sort((a, b) => a.ratio - b.ratio);
    if (!worst) throw new Error('nothing was measured');
    return { name: 'page', ...worst, unit: 'ms', rssMb: peakRssMb(stack.api.pid) };
  } finally {
    await stack.stop();
  }
};

type Sort = (typeof SORTS)[number];

async function cursorBehind(stack: BenchStack, sort: Sort, rows: number): Promise<string | null> {
  let cursor: string | null = null;
  for (let read = 0; read < rows; read += 1_000) cursor = await getPage(stack, sort, 1_000, cursor);
  return cursor;
}

/** Returns the milliseconds of each of several consecutive pages. */
async function timePages(stack: BenchStack, sort: Sort, from: string | null): Promise<number[]> {
  const times: number[] = [];
  let cursor = from;
  for (let i = 0; i < PAGES_A_ROUND; i++) {
    const startedAt = performance.now();
    cursor = await getPage(stack, sort, PAGE_SIZE, cursor);
    times.push(performance.now() - startedAt);
  }
  return times;
}

async function getPage(
  { url, key }: BenchStack,
  sortKey: Sort,
  pageSize: number,
  cursor: string | null,
): Promise<string | null> {
  const query = new URLSearchParams({ sortKey, pageSize: String(pageSize), ...(cursor ? { cursor } : {}) });
  const response = await fetch(`${url}/v2/developers/identities?${query}`, {
    headers: { authorization: `ApiKey ${key}` },
  });
  const { page, message } = (await response.json()) as {
    page?: { nextCursor: string | null };
    message?: string;
  };
  if (!page) throw new Error(`a page failed with ${response.status}: ${message}`);
  return page.nextCursor;
}
