import { readFileSync } from 'node:fs';

/** Kernel ticks a second; 100 on every Linux that Node runs on. */
const TICKS = 100;

/** CPU seconds that a process has spent so far, user and system; NaN where there is no /proc. */
export function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return Number.NaN;
  }
}

/** The most memory that a process has held so far, in MB; NaN where there is no /proc. */
export function peakRssMb(pid: number): number {
  try {
    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Math.round(Number(kilobytes) / 1_024);
  } catch {
    return Number.NaN;
  }
}
