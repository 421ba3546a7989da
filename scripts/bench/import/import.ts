import { join } from 'node:path';
import { type BenchContext, type Benchmark, type BenchResult, median } from '../benchmark.js';
import { cpuSeconds, peakRssMb } from '../children.js';
import { empty } from '../drain/write-groups.js';
import type { BenchStack } from '../stack.js';
import { writeIdentitiesFile } from './identities-file.js';
import { loadData } from './load-data.js';
import { loadRecorded, readRecorded } from './load-recorded.js';
import { type Cost, describeCosts, RECORDINGS, type Recording, startRecording } from './recordings.js';
import { rest } from './rest.js';
import { writeSortedFile } from './sorted-file.js';
import { type Counts, importFile } from './upload.js';

/** The tables that hold what an import of new accounts has written. */
const WRITTEN = ['identities', 'identity_history', 'import_changes'];

/**
 * Imports new identities, from the upload to `completed`; then also without a changes file, without history and without both.
 * Floor: LOAD DATA LOCAL INFILE into the same table. Second floor: the same of a file that is sorted by the primary key. Third floor: that file
 * in the chunks of an import, with the ledger and the changes that an import has to store.
 */
export const importFresh: Benchmark = (context) => compareImports(context, 'import-fresh', RECORDINGS);

/** Imports the same file again, which changes nothing. Floor: LOAD DATA LOCAL INFILE … REPLACE. */
export const importAgain: Benchmark = (context) => compareImports(context, 'import-again', ['everything']);

interface Subject {
  file: string;
  fresh: boolean;
}

async function compareImports(
  context: BenchContext,
  name: 'import-fresh' | 'import-again',
  recordings: readonly Recording[],
): Promise<BenchResult> {
  const fresh = name === 'import-fresh';
  const subject = { file: join(context.folder, 'identities.csv'), fresh };
  await writeIdentitiesFile(subject.file, context.rows);
  const stacks = new Map<Recording, BenchStack>();
  try {
    for (const recording of recordings) stacks.set(recording, await startRecording(context, recording));
    const { floors, sortedFloors, recordedFloors, imports } = await alternate(context, stacks, subject);
    for (const line of fresh ? describeCosts(imports, context) : []) context.say(line);
    const all = [floors, sortedFloors, recordedFloors, imports.get('everything') ?? []];
    const [floor, sortedFloor, recordedFloor, ours] = all.map((costs) =>
      median(costs.map(({ seconds }) => seconds)),
    ) as [number, number, number, number];
    const rssMb = peakRssMb((stacks.get('everything') as BenchStack).worker.pid);
    const result = { name, ratio: floor / ours, ours, floor, unit: 's', rssMb };
    if (!fresh) return result;
    const otherFloors = {
      'LOAD DATA of the file sorted by key': sortedFloor,
      'that with what an import records': recordedFloor,
    };
    return { ...result, otherFloors };
  } finally {
    await Promise.all([...stacks.values()].map((stack) => stack.stop()));
  }
}

/** Measures the floor and each stack in turn. Every other run has the opposite order, because later imports may be slower. */
async function alternate(
  context: BenchContext,
  stacks: ReadonlyMap<Recording, BenchStack>,
  subject: Subject,
) {
  const [floors, sortedFloors, recordedFloors]: [Cost[], Cost[], Cost[]] = [[], [], []];
  const imports = new Map<Recording, Cost[]>([...stacks.keys()].map((recording) => [recording, []]));
  const { file, fresh } = subject;
  const { database } = stacks.get('everything') as BenchStack;
  if (!fresh) await loadData(context.databaseUrl, file, '', 0);
  for (let run = 1; run <= context.runs; run++) {
    await rest(context.pids.mariadb);
    floors.push(await timeFloor(context, subject, run));
    if (fresh) {
      const sorted = { file: `${file}.sorted`, fresh };
      if (run === 1) await writeSortedFile(database, sorted.file);
      await empty(database, ['identities']);
      await rest(context.pids.mariadb);
      sortedFloors.push(await timeFloor(context, sorted, run));
      await empty(database, ['identities']);
    }
    for (const [recording, stack] of run % 2 === 1 ? stacks : [...stacks].reverse()) {
      await rest(context.pids.mariadb);
      const resume = pauseOthers(stacks, stack);
      try {
        imports.get(recording)?.push(await timeImport(context, stack, subject, recording));
      } finally {
        resume();
      }
      if (!fresh) continue;
      const recorded = recording === 'everything' ? await readRecorded(database) : null;
      await empty(stack.database, WRITTEN);
      if (!recorded) continue;
      await rest(context.pids.mariadb);
      const load = () => loadRecorded(context.databaseUrl, `${file}.sorted`, recorded);
      recordedFloors.push(await timeLoad(context, ' presorted, with what an import records', load));
      await empty(database, WRITTEN);
    }
  }
  return { floors, sortedFloors, recordedFloors, imports };
}

/** Pauses the processes of all other stacks: three idle ones take a tenth of a core. Returns a function that resumes them. */
function pauseOthers(stacks: ReadonlyMap<Recording, BenchStack>, stack: BenchStack): () => void {
  const others = [...stacks.values()].filter((other) => other !== stack);
  const signal = (name: NodeJS.Signals) => {
    for (const { api, worker } of others) for (const { pid } of [api, worker]) process.kill(pid, name);
  };
  signal('SIGSTOP');
  return () => signal('SIGCONT');
}

const timeFloor = (context: BenchContext, { file, fresh }: Subject, run: number): Promise<Cost> =>
  timeLoad(context, file.endsWith('.sorted') ? ' presorted' : '', async () => {
    const startedAt = performance.now();
    await loadData(context.databaseUrl, file, fresh ? '' : 'REPLACE', run);
    return (performance.now() - startedAt) / 1_000;
  });

/** @param load returns its seconds */
async function timeLoad(
  { pids, say }: BenchContext,
  which: string,
  load: () => Promise<number>,
): Promise<Cost> {
  const cpu = cpuSeconds(pids.mariadb);
  const seconds = await load();
  const spent = cpuSeconds(pids.mariadb) - cpu;
  say(`floor ${seconds.toFixed(2)} s${which} (CPU: server ${spent.toFixed(1)} s)`);
  return { seconds, cpuSeconds: spent };
}

/** Imports a file and reports what that costs. */
export async function timeImport(
  { pids, rows, say }: BenchContext,
  stack: BenchStack,
  { file, fresh }: Subject,
  recording: Recording,
): Promise<Cost> {
  const { worker, api } = stack;
  const before = [pids.mariadb, worker.pid, api.pid].map(cpuSeconds);
  const { counts, seconds } = await importFile(stack, file);
  const cpu = [pids.mariadb, worker.pid, api.pid].map((pid, i) => cpuSeconds(pid) - (before[i] as number));
  expectCounts(counts, fresh ? 'created' : 'unchanged', rows);
  const [ofServer, ofWorker, ofApi] = cpu.map((spent) => spent.toFixed(1));
  say(
    `ours  ${seconds.toFixed(2)} s, records ${recording} (CPU: server ${ofServer} s, worker ${ofWorker} s, API ${ofApi} s; ` +
      `memory at most: worker ${peakRssMb(worker.pid)} MB, API ${peakRssMb(api.pid)} MB)`,
  );
  return { seconds, cpuSeconds: cpu.reduce((sum, spent) => sum + spent) };
}

function expectCounts(counts: Counts, name: string, rows: number): void {
  if (counts[name] !== rows) throw new Error(`expected ${rows} ${name}, got ${JSON.stringify(counts)}`);
}
