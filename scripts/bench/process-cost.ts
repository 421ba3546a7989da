import { readFileSync } from 'node:fs';

/** Kernel ticks per second: 100 on every Linux that Node supports. */
const TICKS = 100;

/** Returns the CPU seconds that a process has spent so far, user and system, or NaN without /proc. */
export function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return Number.NaN;
  }
}

/** Returns the peak memory of a process so far, in MB, or NaN without /proc. */
export function peakRssMb(pid: number): number {
  try {
    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Math.round(Number(kilobytes) / 1_024);
  } catch {
    return Number.NaN;
  }
}
