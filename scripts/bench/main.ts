import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPrivateServers } from '../private-servers.js';
import { type Benchmark, type BenchResult, round } from './benchmark.js';
import { drain } from './drain.js';
import { exportAll } from './export.js';
import { importAgain, importFresh } from './import.js';
import { intake, intakeBurst, intakeFsync, intakeOneByOne } from './intake.js';
import { mapping } from './mapping.js';
import { page } from './page.js';

/** `npm run bench -- NAME [--json] [--rows N] [--runs N]`: ours beside the floor, in one run on throw-away servers. */
const benchmarks: Record<string, { run: Benchmark; rows: number }> = {
  'import-fresh': { run: importFresh, rows: 1_000_000 },
  'import-again': { run: importAgain, rows: 1_000_000 },
  mapping: { run: mapping, rows: 200_000 },
  export: { run: exportAll, rows: 1_000_000 },
  intake: { run: intake, rows: 0 },
  'intake-fsync': { run: intakeFsync, rows: 0 },
  'intake-one-by-one': { run: intakeOneByOne, rows: 0 },
  'intake-burst': { run: intakeBurst, rows: 0 },
  drain: { run: drain, rows: 500_000 },
  page: { run: page, rows: 1_000_000 },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, rows: { type: 'string' }, runs: { type: 'string' } },
});

async function measure(name: string): Promise<BenchResult> {
  const benchmark = benchmarks[name];
  if (!benchmark) throw new Error(`no benchmark ${name}; there are ${Object.keys(benchmarks).join(', ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'));
  const servers = await startPrivateServers({
    dir: join(folder, 'servers'),
    durable: true,
    localInfile: true,
    throwAway: true,
    bufferPoolMb: 1_024,
  });
  try {
    const { mariadb, redis } = servers.processes;
    return await benchmark.run({
      databaseUrl: servers.databaseUrls.root,
      redisUrl: servers.redisUrl,
      pids: { mariadb: mariadb.pid, redis: redis.pid },
      folder,
      rows: Number(values.rows ?? benchmark.rows),
      runs: Number(values.runs ?? 3),
      say: (line) => console.error(line),
    });
  } finally {
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function show({ name, ratio, ours, floor, unit, p99Ratio, rssMb }: BenchResult): void {
  const more = [
    p99Ratio === undefined ? '' : `, p99 × ${p99Ratio}`,
    rssMb === undefined ? '' : `, ${rssMb} MB at most`,
  ].join('');
  console.log(`${name}: ${ratio} × the floor (ours ${ours} ${unit}, floor ${floor} ${unit}${more})`);
}

const names = positionals.length > 0 ? positionals : Object.keys(benchmarks);
console.error(`load before: ${loadavg()[0]?.toFixed(2)}`);
for (const name of names) {
  const result = await measure(name);
  const rounded = {
    ...result,
    ratio: round(result.ratio),
    ours: round(result.ours),
    floor: round(result.floor),
  };
  if (values.json) console.log(JSON.stringify(rounded));
  else show(rounded);
}
