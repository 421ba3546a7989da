import { spawn } from 'node:child_process';
import { stopTogether } from './interrupt.mjs';

/** What stops the set-up, in words for whoever typed the command. Anything else is a fault of the set-up itself. */
export class SetupError extends Error {}

const shownLines = { first: 6, last: 10 };

/**
 * Runs a program to its end, keeping what it says to itself unless it fails.
 * @param {string[]} command
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, failure: string }} options
 *   `failure` is the line to show, after what the program said, when it fails
 * @throws SetupError
 */
export async function run(command, options) {
  const { code, output } = await capture(command, options);
  if (code !== 0) throw failed(output, options.failure);
}

/** A program's failure: an excerpt of its output, then one line of ours. */
export function failed(output, line) {
  return new SetupError(`${excerpt(output)}\n\n${line}`);
}

/**
 * The exit code and everything that a program said. A program that cannot be started ends with 127.
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

/** Some say the reason first and then much else, others last. */
function excerpt(output) {
  const lines = output.trimEnd().split('\n');
  const { first, last } = shownLines;
  if (lines.length <= first + last) return lines.join('\n');
  return [...lines.slice(0, first), '...', ...lines.slice(-last)].join('\n');
}
