import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchContext, type Benchmark, median } from './benchmark.js';
import { cpuSeconds, peakRssMb } from './children.js';
import { fillIdentities } from './filled-tables.js';
import { type BenchStack, startBenchStack } from './stack.js';

/** Exports all identities to a file, from the request to `completed`. Floor: the database's own client writes them to a file. */
export const exportAll: Benchmark = async (context) => {
  const stack = await startBenchStack(context);
  const floors: number[] = [];
  const ours: number[] = [];
  try {
    await fillIdentities(stack.database, context.rows);
    // One of each first, unmeasured: to warm the server's memory.
    await timeFloor(context);
    await timeOurs(context, stack);
    for (let run = 1; run <= context.runs; run++) {
      floors.push(await timeFloor(context));
      ours.push(await timeOurs(context, stack));
    }
    const [floor, own] = [median(floors), median(ours)];
    const rssMb = peakRssMb(stack.worker.pid);
    return { name: 'export', ratio: floor / own, ours: own, floor, unit: 's', rssMb };
  } finally {
    await stack.stop();
  }
};

async function timeFloor(context: BenchContext): Promise<number> {
  const { searchParams, username, password, pathname } = new URL(context.databaseUrl);
  const file = openSync(join(context.folder, 'floor.txt'), 'w');
  const cpu = cpuSeconds(context.pids.mariadb);
  const startedAt = performance.now();
  const sql = 'SELECT email, integration_id, identity FROM identities WHERE email IS NOT NULL';
  const where = [`--socket=${searchParams.get('socketPath')}`, `--user=${username}`, pathname.slice(1)];
  const client = spawn('mariadb', ['--no-defaults', '--quick', '--batch', ...where, `--execute=${sql}`], {
    env: { ...process.env, MYSQL_PWD: password },
    stdio: ['ignore', file, 'inherit'],
  });
  const [code] = await once(client, 'exit');
  closeSync(file);
  if (code !== 0) throw new Error(`mariadb ended with ${code}`);
  const seconds = (performance.now() - startedAt) / 1_000;
  const server = (cpuSeconds(context.pids.mariadb) - cpu).toFixed(2);
  context.say(`floor ${seconds.toFixed(2)} s (CPU: server ${server} s)`);
  return seconds;
}

async function timeOurs(context: BenchContext, { url, key, worker }: BenchStack): Promise<number> {
  const pids = [context.pids.mariadb, worker.pid];
  const cpu = pids.map(cpuSeconds);
  const startedAt = performance.now();
  const rows = await exportIdentities(url, key);
  const seconds = (performance.now() - startedAt) / 1_000;
  if (rows !== context.rows) throw new Error(`exported ${rows} rows of ${context.rows}`);
  const [server, own] = pids.map((pid, i) => (cpuSeconds(pid) - (cpu[i] as number)).toFixed(2));
  context.say(`ours  ${seconds.toFixed(2)} s (CPU: server ${server} s, worker ${own} s)`);
  return seconds;
}

/** Exports all identities and waits until the job has ended. Returns the number of exported rows. */
export async function exportIdentities(url: string, key: string): Promise<number | undefined> {
  const response = await fetch(`${url}/v2/developers/identities/exports`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${key}`, prefer: 'wait=60' },
  });
  const { data } = (await response.json()) as { data?: { counts: { rows: number } | null } };
  return data?.counts?.rows;
}
