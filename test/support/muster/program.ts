import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The command `muster` as `npm run build` packs it. */
export const PACKED = join(process.cwd(), 'dist/cli/muster.js');

export interface Ended {
  /** Null: it was killed. */
  code: number | null;
  out: string;
  err: string;
}

/** Starts a program in a folder, with a PATH and the given environment alone. */
export function startProgram(
  [program, ...args]: readonly [string, ...string[]],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([out, err, [code]]) => ({ code, out, err }),
  );
  return { child, ended };
}
