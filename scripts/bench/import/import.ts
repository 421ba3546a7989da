import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { type BenchContext, type Benchmark, type BenchResult, median } from './benchmark.js';
import { writeIdentitiesFile } from './identities-file.js';
import { cpuSeconds, peakRssMb } from './process-cost.js';
import { type BenchStack, startBenchStack } from './stack.js';

/** Long enough for the server to purge the data of the previous run. */
const REST_MS = 3_000;

/** Imports new identities, from the upload to `completed`. Floor: LOAD DATA LOCAL INFILE into the same table. */
export const importFresh: Benchmark = (context) => compareImports(context, 'import-fresh', true);

/** Imports the same file again. Floor: LOAD DATA LOCAL INFILE … REPLACE. */
export const importAgain: Benchmark = (context) => compareImports(context, 'import-again', false);

async function compareImports(context: BenchContext, name: string, fresh: boolean): Promise<BenchResult> {
  const file = join(context.folder, 'identities.csv');
  await writeIdentitiesFile(file, context.rows);
  const stack = await startBenchStack(context);
  const floors: number[] = [];
  const ours: number[] = [];
  try {
    if (!fresh) await loadData(context, file, '', 0);
    for (let run = 1; run <= context.runs; run++) {
      if (fresh) await empty(stack);
      await sleep(REST_MS);
      floors.push(await timeFloor(context, file, fresh, run));
      if (fresh) await empty(stack);
      await sleep(REST_MS);
      ours.push(await timeOurs(context, stack, file, fresh));
    }
    const [floor, own] = [median(floors), median(ours)];
    return { name, ratio: floor / own, ours: own, floor, unit: 's', rssMb: peakRssMb(stack.worker.pid) };
  } finally {
    await stack.stop();
  }
}

const empty = ({ database }: BenchStack): Promise<void> => database.raw('TRUNCATE TABLE identities');

async function timeFloor(context: BenchContext, file: string, fresh: boolean, run: number): Promise<number> {
  const cpu = cpuSeconds(context.pids.mariadb);
  const startedAt = performance.now();
  await loadData(context, file, fresh ? '' : 'REPLACE', run);
  const seconds = (performance.now() - startedAt) / 1_000;
  const spent = cpuSeconds(context.pids.mariadb) - cpu;
  context.say(`floor ${seconds.toFixed(2)} s (CPU: server ${spent.toFixed(1)} s)`);
  return seconds;
}

/** Loads the file with the database's own loader, with the times and defaults of the table. */
async function loadData(
  { databaseUrl }: BenchContext,
  file: string,
  replace: '' | 'REPLACE',
  assertedBy: number,
): Promise<void> {
  const url = new URL(databaseUrl);
  const connection = await createConnection({
    socketPath: url.searchParams.get('socketPath') as string,
    user: url.username,
    password: url.password,
    database: url.pathname.slice(1),
    infileStreamFactory: () => createReadStream(file, { highWaterMark: 1024 * 1024 }),
  });
  await connection.query(
    `LOAD DATA LOCAL INFILE 'identities' ${replace} INTO TABLE identities CHARACTER SET utf8mb4
     FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"' LINES TERMINATED BY '\\n' IGNORE 1 LINES
     (email, integration_id, identity) SET asserted_by = ${assertedBy}`,
  );
  await connection.end();
}

async function timeOurs(
  context: BenchContext,
  stack: BenchStack,
  file: string,
  fresh: boolean,
): Promise<number> {
  const pids = [context.pids.mariadb, stack.worker.pid, stack.api.pid];
  const cpu = pids.map(cpuSeconds);
  const startedAt = performance.now();
  const counts = await untilCompleted(stack, await upload(stack, file));
  const seconds = (performance.now() - startedAt) / 1_000;
  const [server, worker, api] = pids.map((pid, i) => (cpuSeconds(pid) - (cpu[i] as number)).toFixed(1));
  expectCounts(counts, fresh ? 'created' : 'unchanged', context.rows);
  context.say(
    `ours  ${seconds.toFixed(2)} s (CPU: server ${server} s, worker ${worker} s, API ${api} s; ` +
      `memory at most: worker ${peakRssMb(stack.worker.pid)} MB, API ${peakRssMb(stack.api.pid)} MB)`,
  );
  return seconds;
}

async function upload({ url, key }: BenchStack, file: string): Promise<string> {
  const boundary = 'muster-benchmark';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="identities.csv"\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  const response = await fetch(`${url}/v2/developers/identities`, {
    method: 'PATCH',
    headers: {
      authorization: `ApiKey ${key}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + statSync(file).size + tail.length),
      prefer: 'respond-async',
    },
    body: multipart(head, file, tail),
    duplex: 'half',
  } as RequestInit);
  const { jobId, message } = (await response.json()) as { jobId: string; message: string };
  if (response.status !== 202) throw new Error(`upload failed with ${response.status}: ${message}`);
  return jobId;
}

async function* multipart(head: string, file: string, tail: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(head);
  yield* createReadStream(file, { highWaterMark: 1024 * 1024 });
  yield Buffer.from(tail);
}

type Counts = Record<string, number>;

async function untilCompleted({ url, key }: BenchStack, jobId: string): Promise<Counts> {
  for (;;) {
    const response = await fetch(`${url}/v2/jobs/${jobId}`, { headers: { authorization: `ApiKey ${key}` } });
    const { data } = (await response.json()) as {
      data: { state: string; counts: Counts; finishedAt: string | null };
    };
    if (data.state === 'completed') return data.counts;
    if (data.finishedAt) throw new Error(`the import ended ${data.state}`);
    await sleep(25);
  }
}

function expectCounts(counts: Counts, name: string, rows: number): void {
  if (counts[name] !== rows) throw new Error(`expected ${rows} ${name}, got ${JSON.stringify(counts)}`);
}
