import { type Benchmark, percentile } from './benchmark.js';
import { cpuSeconds, peakRssMb } from './children.js';
import { insertAlerts } from './filled-tables.js';
import { type BenchStack, startBenchStack } from './stack.js';

const DAY_MS = 86_400_000;
/** Rows in a statement. */
const ROWS = 100_000;
/** Alerts with the rare values, spread over the day. */
const RARE = 40;
const RARE_VALUES = { severity: 'Emergency', team: 'night-watch' };
const PAGES_A_ROUND = 10;
const PAGE_SIZE = 50;

/** What a page is read by. The severity is spelled in another case than in the alerts. */
const FILTERS: Record<string, Record<string, string>> = {
  'rare severity': { severity: 'emergency' },
  'rare team': { team: 'night-watch' },
  'rare severity and common team': { severity: 'emergency', team: 'platform' },
  'unknown team': { team: 'nobody' },
};

/**
 * Measures the p95 of a page of alerts by a rare value, within one day that has all rows. Floor: a page without a filter. Pages of all kinds
 * alternate. The result is that of the slowest kind.
 */
export const listAlerts: Benchmark = async (context) => {
  const stack = await startBenchStack(context);
  try {
    const until = Date.now() - 60_000;
    await fill(stack, context.rows, until);
    const range = { from: new Date(until - DAY_MS).toISOString(), to: new Date(until).toISOString() };
    const kinds = Object.entries({ 'no filter': {}, ...FILTERS });
    const times = new Map<string, number[]>(kinds.map(([name]) => [name, []]));
    const cpu = new Map<string, number>();
    for (let round = 0; round < 4 * context.runs; round++) {
      for (const [name, filters] of kinds) {
        const before = cpuSeconds(context.pids.mariadb);
        for (let i = 0; i < PAGES_A_ROUND; i++) {
          times.get(name)?.push(await timePage(stack, new URLSearchParams({ ...range, ...filters })));
        }
        cpu.set(name, (cpu.get(name) ?? 0) + cpuSeconds(context.pids.mariadb) - before);
      }
    }
    for (const [name, ms] of times) {
      const perPage = ((cpu.get(name) ?? 0) * 1_000) / ms.length;
      context.say(
        `${name}: p95 ${percentile(ms, 95).toFixed(1)} ms, median ${percentile(ms, 50).toFixed(1)} ms; MariaDB ${perPage.toFixed(1)} ms of CPU a page`,
      );
    }
    const [floor = Number.NaN, ...others] = [...times.values()].map((ms) => percentile(ms, 95));
    const ours = Math.max(...others);
    return {
      name: 'list-alerts',
      ratio: floor / ours,
      ours,
      floor,
      unit: 'ms',
      rssMb: peakRssMb(stack.api.pid),
    };
  } finally {
    await stack.stop();
  }
};

async function fill({ database }: BenchStack, rows: number, until: number): Promise<void> {
  const everyMs = (DAY_MS - 1) / rows;
  for (let done = 0; done < rows; done += ROWS) {
    const from = until - DAY_MS + done * everyMs;
    await insertAlerts(database, Math.min(ROWS, rows - done), { from, everyMs });
  }
  await insertAlerts(database, RARE, { from: until - DAY_MS, everyMs: DAY_MS / (RARE + 1) }, RARE_VALUES);
}

/** Returns the milliseconds that a page takes. */
async function timePage({ url, key }: BenchStack, query: URLSearchParams): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${url}/v2/alerts?pageSize=${PAGE_SIZE}&${query}`, {
    headers: { authorization: `ApiKey ${key}` },
  });
  const text = await response.text();
  // A list that takes longer than its time limit of 5 s counts with that time.
  if (!response.ok && !text.includes('search_too_slow'))
    throw new Error(`a page failed with ${response.status}: ${text}`);
  return performance.now() - startedAt;
}
