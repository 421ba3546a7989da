import { spawn } from 'node:child_process';
import { stopTogether } from './interrupt.mjs';

/** Stops the setup, with a message for the user. Any other error is a bug of the setup. */
export class SetupError extends Error {}

const shownLines = { first: 6, last: 10 };

/**
 * Runs a program until it exits. Shows its output only if it fails.
 * @param {string[]} command
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, failure: string }} options
 *   `failure` is the line to show after the output of a program that fails
 * @throws SetupError
 */
export async function run(command, options) {
  const { code, output } = await capture(command, options);
  if (code !== 0) throw failed(output, options.failure);
}

/** Returns an error with an excerpt of a program's output, then one line of explanation. */
export function failed(output, line) {
  return new SetupError(`${excerpt(output)}\n\n${line}`);
}

/**
 * Returns the exit code and the whole output of a program. A program that cannot be started exits with 127.
 * @param {string[]} command
 * @param {{ cwd?: string, env?: Record<string, string | undefined> }} [options]
 * @returns {Promise<{ code: number | null, output: string }>}
 */
export function capture([program, ...rest], { cwd, env = process.env } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, rest, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    stopTogether(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.once('error', (error) => resolve({ code: 127, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** Some programs print the reason first, before much else, others print it last. */
function excerpt(output) {
  const lines = output.trimEnd().split('\n');
  const { first, last } = shownLines;
  if (lines.length <= first + last) return lines.join('\n');
  return [...lines.slice(0, first), '...', ...lines.slice(-last)].join('\n');
}
