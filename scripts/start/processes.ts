import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { machineMemoryMb } from '../private-servers/memory.js';

/** Muster's own programs. `npm start` runs one or more processes of each. */
export type Program = 'api' | 'worker';

/** One of the processes. */
export interface ProgramProcess {
  program: Program;
  /** `api`, `api-2`, `api-3`, …; also the name of its log. */
  name: string;
  /** Its place among all processes, from 0: the API's come first. */
  index: number;
}

export type ProcessCounts = Record<Program, number>;

/** Names the processes that run. */
export function programProcesses({ api, worker }: ProcessCounts): ProgramProcess[] {
  const named = (program: Program, count: number) =>
    Array.from({ length: count }, (_, i) => ({ program, name: i === 0 ? program : `${program}-${i + 1}` }));
  return [...named('api', api), ...named('worker', worker)].map((one, index) => ({ ...one, index }));
}

/** Returns the files that identify the processes of an earlier start, which may have had more of them. */
export function pidFilesIn(dataDir: string): string[] {
  const folder = join(dataDir, 'run');
  const names = readdirSync(folder).filter((name) => /^(api|worker)(-\d+)?\.pid$/.test(name));
  return names.map((name) => join(folder, name));
}

/** More are a decision of the operator: the database then needs its cores for itself. */
const most = 4;
const coresEach = 2;
/** An API and a worker need 450 MB at most, and the servers have to fit too. */
const memoryMbEach = 1_024;

/** Returns how many processes of each program suit the machine: one for each two cores and GB of memory, but at most 4. */
export function defaultProcesses(cores = availableParallelism(), memoryMb = machineMemoryMb()): number {
  const suitable = Math.min(cores / coresEach, memoryMb / memoryMbEach, most);
  return Math.max(1, Math.floor(suitable));
}
