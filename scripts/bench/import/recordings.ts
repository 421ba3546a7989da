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

/**
 * Returns what changes and history cost: the speed with them ÷ the speed without, and the CPU that they add per row. Each is
 * compared with and without the other one.
 */
export function describeCosts(imports: ReadonlyMap<Recording, readonly Cost[]>, rows: number): string[] {
  const middle = (recording: Recording, of: keyof Cost): number =>
    median((imports.get(recording) ?? []).map((cost) => cost[of]));
  const compare = (name: string, pairs: [Recording, Recording][]): string => {
    const each = pairs.map(([withIt, without]) => {
      const speed = (of: keyof Cost): string => (middle(without, of) / middle(withIt, of)).toFixed(3);
      const micros = ((middle(withIt, 'cpuSeconds') - middle(without, 'cpuSeconds')) * 1e6) / rows;
      const others = withIt === 'everything' ? 'with' : 'without';
      return `${others} the other ${speed('cpuSeconds')} by CPU (${micros.toFixed(1)} µs per row), ${speed('seconds')} by time`;
    });
    return `speed with ${name} ÷ without: ${each.join('; ')}`;
  };
  return [
    compare('changes', [
      ['everything', 'no changes'],
      ['no history', 'nothing'],
    ]),
    compare('history', [
      ['everything', 'no history'],
      ['no changes', 'nothing'],
    ]),
  ];
}
