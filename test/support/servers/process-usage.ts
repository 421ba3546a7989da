import { readdirSync, readFileSync } from 'node:fs';

/** Returns the resident memory of a process, in MiB. */
export const rssMb = (pid = 0): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/** Returns how many file descriptors a process has open. */
export const openDescriptors = (pid = 0): number => readdirSync(`/proc/${pid}/fd`).length;
