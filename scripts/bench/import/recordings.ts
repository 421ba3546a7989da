import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { connectDatabase } from '../../../db/client/connect.js';
import { type BenchContext, median } from '../benchmark.js';
import { type BenchStack, startBenchStack } from '../stack.js';

const [NO_CHANGES, NO_HISTORY] = [{ IMPORT_CHANGES: '0' }, { IDENTITY_HISTORY_DAYS: '0' }];
/** What an import records besides the identities: the settings of the workers. */
const SETTINGS = {
  everything: {},
  'no changes': NO_CHANGES,
  'no history': NO_HISTORY,
  nothing: { ...NO_CHANGES, ...NO_HISTORY },
};
export type Recording = keyof typeof SETTINGS;
export const RECORDINGS = Object.keys(SETTINGS) as Recording[];

export interface Cost {
  seconds: number;
  /** Of all processes together. */
  cpuSeconds: number;
}

/** Starts a stack that records this, with a database of its own, so its processes stay warm between the runs of the others. */
export async function startRecording(context: BenchContext, recording: Recording): Promise<BenchStack> {
  if (recording === 'everything') return startBenchStack(context);
  const name = recording.replace(' ', '-');
  const admin = connectDatabase(context.databaseUrl);
  await admin.raw('CREATE DATABASE ??', [name]).finally(() => admin.destroy());
  const databaseUrl = new URL(context.databaseUrl);
  databaseUrl.pathname = `/${name}`;
  const folder = join(context.folder, name);
  mkdirSync(folder);
  return startBenchStack(
    { ...context, databaseUrl: databaseUrl.href, folder },
    { ...SETTINGS[recording], REDIS_PREFIX: `{${name}}` },
  );
}

/** For each part of a recording: which two recordings differ in it alone. */
const PAIRS: Record<string, readonly (readonly [Recording, Recording])[]> = {
  changes: [
    ['everything', 'no changes'],
    ['no history', 'nothing'],
  ],
  history: [
    ['everything', 'no history'],
    ['no changes', 'nothing'],
  ],
};

/**
 * Returns a line for changes and one for history: the speed with it ÷ the speed without, and the CPU that it adds. Compares imports of
 * the same run, because the load of the machine changes from run to run.
 */
export function describeCosts(
  imports: ReadonlyMap<Recording, readonly Cost[]>,
  { rows, runs }: BenchContext,
): string[] {
  return Object.entries(PAIRS).map(([name, pairs]) => {
    const compared = pairs.flatMap(([full, less]) =>
      Array.from({ length: runs }, (_, run) => [full, less].map((of) => imports.get(of)?.[run] as Cost)),
    ) as [Cost, Cost][];
    const middle = (figure: (full: Cost, less: Cost) => number, digits: number): string =>
      median(compared.map(([full, less]) => figure(full, less))).toFixed(digits);
    const byCpu = middle((full, less) => less.cpuSeconds / full.cpuSeconds, 3);
    const byTime = middle((full, less) => less.seconds / full.seconds, 3);
    const micros = middle((full, less) => ((full.cpuSeconds - less.cpuSeconds) * 1e6) / rows, 1);
    return `speed with ${name} ÷ without: ${byCpu} by CPU (${micros} µs more per row), ${byTime} by time; medians of ${compared.length} pairs`;
  });
}
