import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Returns a program of the build by its path relative to this file. */
const built = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Starts a program of the build. It stops when this process exits, for whatever reason. */
export function startProgram(
  path: string,
  env: Record<string, string>,
  nodeOptions: readonly string[] = [],
): ChildProcess {
  return spawn(process.execPath, [...nodeOptions, built(path)], {
    env: { ...process.env, NODE_ENV: 'production', MUSTER_SUPERVISED: '1', ...env },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
}

export async function endProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** Runs a program until it exits, and returns the JSON that it prints last. */
export async function runForJson<T>(script: string, args: readonly string[]): Promise<T> {
  const { stdout } = await run(process.execPath, [script, ...args], { maxBuffer: 16 * 1024 * 1024 });
  return JSON.parse(stdout.trim().split('\n').at(-1) as string);
}

export const runBuilt = <T>(path: string, args: readonly string[]): Promise<T> =>
  runForJson<T>(built(path), args);

/** Four APIs and four workers that start on two busy cores need most of it. */
const START_WITHIN_MS = 90_000;

/** Waits until a server responds at the URL. */
export async function untilResponding(url: string): Promise<void> {
  for (const deadline = Date.now() + START_WITHIN_MS; Date.now() < deadline; ) {
    const responded = await fetch(url, { method: 'POST', body: '{}' }).then(
      () => true,
      () => false,
    );
    if (responded) return;
    await sleep(50);
  }
  throw new Error(`no server responds at ${url}`);
}

/** Returns the resident memory of a process, in MiB. */
export function rssMb({ pid }: ChildProcess): number {
  const pages = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(pages) / 1_024);
}

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
