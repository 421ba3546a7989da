import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LIBRARIES = ['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu/faketime/libfaketime.so.1`);

/** Returns why this machine cannot set clocks of single processes; null if it can. */
export const whyNoClocks = (): string | null =>
  LIBRARIES.some(existsSync) ? null : 'libfaketime is not installed (Debian: apt-get install faketime)';

/** How long a process may use the previous time after its clock was set. */
export const CLOCK_SET_WITHIN_MS = 1_500;

/** A clock that processes can have in place of the machine's. */
export interface Clock {
  /** The environment of a process that has it. */
  env: Record<string, string>;
  /** Sets it to the time of the machine plus that many seconds, also for processes that run. Measured time goes on as before. */
  set(seconds: number): void;
  remove(): void;
}

/** Creates a clock that is right. */
export function createClock(): Clock {
  const folder = mkdtempSync(join(tmpdir(), 'muster-clock-'));
  const file = join(folder, 'offset');
  const set = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}`);
  set(0);
  return {
    env: {
      LD_PRELOAD: LIBRARIES.find(existsSync) as string,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
    remove: () => rmSync(folder, { recursive: true }),
  };
}
