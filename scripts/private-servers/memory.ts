import { totalmem } from 'node:os';
import { z } from 'zod';
import { readSettings, wholeNumberSetting } from '../../workers/process/settings.js';

const MIB = 2 ** 20;
const leastMb = 128;
const mostMb = 4_096;

/** Returns the memory of this machine in MiB, or the limit of its container (cgroup) if that is lower. */
export function machineMemoryMb(constrained = process.constrainedMemory()): number {
  // 0 without a limit. Some kernels report a number beyond any memory instead.
  const limit = constrained > 0 ? constrained : Number.POSITIVE_INFINITY;
  return Math.floor(Math.min(totalmem(), limit) / MIB);
}

/** Returns the buffer pool of a private database in MiB: a quarter of the memory, but at least 128 and at most 4,096. */
export function databaseMemoryMb(memoryMb = machineMemoryMb()): number {
  return Math.min(Math.max(Math.floor(memoryMb / 4), leastMb), mostMb);
}

/** `DB_MEMORY_MB`, which overrides that. A larger pool than the machine's memory would be swapped, or kill the server. */
export const databaseMemorySetting = wholeNumberSetting(leastMb, 1_048_576)
  .refine((megabytes) => megabytes <= leastMb || megabytes < machineMemoryMb(), {
    error: () => `must be less than the memory of this machine, which is ${machineMemoryMb()} MB`,
  })
  .default(() => databaseMemoryMb());

/** Reads it alone. @throws Error if it is invalid */
export const readDatabaseMemoryMb = (env: NodeJS.ProcessEnv): number =>
  readSettings(z.object({ DB_MEMORY_MB: databaseMemorySetting }), env).DB_MEMORY_MB;
