import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPrivateServers } from '../private-servers/index.js';
import { readDatabaseMemoryMb } from '../private-servers/memory.js';
import { reportError, UsageError } from '../text/command-line.js';
import { type Benchmark, type BenchResult, round } from './benchmark.js';
import { help, type Options, readCommandLine } from './command-line.js';
import { consolePages } from './console/console.js';
import { deliver, deliverHanging, deliverMany } from './deliver/deliver.js';
import { drain, drainKeyed, drainOneKey } from './drain/drain.js';
import { drainFull } from './drain/drain-full.js';
import { drainLookup } from './drain/drain-lookup.js';
import { drainResend } from './drain/drain-resend.js';
import { drainRetention } from './drain/drain-retention.js';
import { drainTold } from './drain/drain-told.js';
import { exportAll } from './export.js';
import { applyPlan } from './import/apply.js';
import { feedUnchanged } from './import/feed-unchanged.js';
import { importGrowth } from './import/growth.js';
import { importAgain, importFresh } from './import/import.js';
import { alertmanagerAgain, alertmanagerApi } from './intake/alertmanager-api.js';
import { intake, intakeBurst, intakeFsync } from './intake/intake.js';
import { intakeOneByOne } from './intake/one-by-one.js';
import { listAlerts } from './list-alerts.js';
import { mapping } from './mapping.js';
import { page } from './page.js';
import { retention, retentionSteps } from './retention.js';
import { scale } from './scale/scale.js';
import { start } from './start.js';

/** `npm run bench`: measures Muster and its floor in one run, on temporary servers. */
const benchmarks: Record<string, { run: Benchmark; rows: number }> = {
  'import-fresh': { run: importFresh, rows: 1_000_000 },
  'import-again': { run: importAgain, rows: 1_000_000 },
  apply: { run: applyPlan, rows: 200_000 },
  'feed-unchanged': { run: feedUnchanged, rows: 100_000 },
  'import-growth': { run: importGrowth, rows: 10_000_000 },
  mapping: { run: mapping, rows: 200_000 },
  export: { run: exportAll, rows: 1_000_000 },
  intake: { run: intake, rows: 0 },
  'intake-fsync': { run: intakeFsync, rows: 0 },
  'intake-one-by-one': { run: intakeOneByOne, rows: 0 },
  'intake-burst': { run: intakeBurst, rows: 0 },
  'alertmanager-api': { run: alertmanagerApi, rows: 50_000 },
  'alertmanager-api-again': { run: alertmanagerAgain, rows: 50_000 },
  drain: { run: drain, rows: 500_000 },
  'drain-keyed': { run: drainKeyed, rows: 500_000 },
  'drain-one-key': { run: drainOneKey, rows: 200_000 },
  'drain-full': { run: drainFull, rows: 200_000 },
  'drain-lookup': { run: drainLookup, rows: 300_000 },
  'drain-resend': { run: drainResend, rows: 100_000 },
  'drain-retention': { run: drainRetention, rows: 300_000 },
  'drain-told': { run: drainTold, rows: 200_000 },
  deliver: { run: deliver, rows: 10_000 },
  'deliver-many': { run: deliverMany, rows: 10_000 },
  'deliver-hanging': { run: deliverHanging, rows: 0 },
  retention: { run: retention, rows: 2_000_000 },
  'retention-steps': { run: retentionSteps, rows: 500_000 },
  page: { run: page, rows: 1_000_000 },
  'list-alerts': { run: listAlerts, rows: 1_000_000 },
  console: { run: consolePages, rows: 100_000 },
  scale: { run: scale, rows: 1_000_000 },
  start: { run: start, rows: 0 },
};

async function measure(
  { run, rows }: { run: Benchmark; rows: number },
  options: Options,
): Promise<BenchResult> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'));
  const servers = await startPrivateServers({
    dir: join(folder, 'servers'),
    durable: true,
    localInfile: true,
    throwAway: true,
    bufferPoolMb: readDatabaseMemoryMb(process.env),
  });
  try {
    const { mariadb, redis } = servers.processes;
    return await run({
      databaseUrl: servers.databaseUrls.root,
      redisUrl: servers.redisUrl,
      pids: { mariadb: mariadb.pid, redis: redis.pid },
      folder,
      rows: options.rows ?? rows,
      runs: options.runs,
      stored: options.stored,
      say: (line) => console.error(line),
    });
  } finally {
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function show({ name, ratio, ours, floor, unit, ...rest }: BenchResult): void {
  const { p99Ratio, otherFloors = {}, rssMb } = rest;
  const more = [
    ...Object.entries(otherFloors).map(
      ([name, other]) => `, ${round(other / ours)} × ${name}, ${other} ${unit}`,
    ),
    p99Ratio === undefined ? '' : `, p99 × ${p99Ratio}`,
    rssMb === undefined ? '' : `, ${rssMb} MB at most`,
  ].join('');
  console.log(`${name}: ${ratio} × the floor (ours ${ours} ${unit}, floor ${floor} ${unit}${more})`);
}

const roundAll = (values: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, round(value)]));

async function measureAll(options: Options): Promise<void> {
  console.error(`load before: ${loadavg()[0]?.toFixed(2)}`);
  for (const name of options.names) {
    const result = await measure(benchmarks[name] as (typeof benchmarks)[string], options);
    const rounded = {
      ...result,
      ratio: round(result.ratio),
      ours: round(result.ours),
      floor: round(result.floor),
      ...(result.p99Ratio && { p99Ratio: round(result.p99Ratio) }),
      ...(result.otherFloors && { otherFloors: roundAll(result.otherFloors) }),
    };
    if (options.json) console.log(JSON.stringify(rounded));
    else show(rounded);
  }
}

const known = Object.keys(benchmarks);
try {
  const options = readCommandLine(process.argv.slice(2), known);
  if (options) await measureAll(options);
  else console.log(help(known));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.exitCode = reportError(error, 'npm run bench --', process.stderr);
}
