import type { BenchContext } from '../benchmark.js';
import { cpuSeconds } from '../children.js';
import type { Fleet } from './fleet.js';

/** CPU seconds by part of the deployment. Several processes of one kind are added up. */
export type Usage = Record<'API' | 'worker' | 'MariaDB' | 'Redis', number>;

/** Starts to measure. Returns a function that returns what each part has spent since then. */
export function measureUsage(context: BenchContext, fleet: Fleet): () => Usage {
  const before = readUsage(context, fleet);
  return () => {
    const now = readUsage(context, fleet);
    for (const part of Object.keys(now) as (keyof Usage)[]) now[part] -= before[part];
    return now;
  };
}

function readUsage({ pids }: BenchContext, { apis, workers }: Fleet): Usage {
  const sum = (processes: readonly { pid: number }[]) =>
    processes.reduce((seconds, { pid }) => seconds + cpuSeconds(pid), 0);
  return {
    API: sum(apis),
    worker: sum(workers),
    MariaDB: cpuSeconds(pids.mariadb),
    Redis: cpuSeconds(pids.redis),
  };
}

/** Returns the CPU of all parts, in seconds. */
export const total = (usage: Usage): number => Object.values(usage).reduce((sum, spent) => sum + spent);

/** Describes the CPU per unit, such as `API 52.1 µs, Redis 9.4 µs`. Parts that spent nearly nothing are left out. */
export function describeUsage(usage: Usage, units: number): string {
  const micros = Object.entries(usage).map(([part, spent]) => [part, (spent * 1e6) / units] as const);
  return micros
    .filter(([, spent]) => spent >= 0.1)
    .map(([part, spent]) => `${part} ${spent.toFixed(1)} µs`)
    .join(', ');
}
