import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { livingPidIn } from '../../../scripts/processes/identity.js';
import { until } from '../until.js';
import { START_WITHIN_MS } from './processes.js';

/** A whole Muster, started as a user would. */
export interface Started {
  /** npm's own process. */
  child: ChildProcess;
  /** Its output so far. */
  output(): string;
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | string>;
}

/** Runs `npm start` on a data directory, in this clone by default. Give `PORT: '0'` for any free port. */
export function npmStart(env: Record<string, string>, cwd = '.'): Started {
  return follow(spawn('npm', ['start'], { cwd, env: cleanEnv(env), stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** The same without npm, so that the output contains only Muster's. Requires a build. */
export function nodeStart(env: Record<string, string>): Started {
  const command = [process.execPath, 'dist/scripts/start.js'] as const;
  return follow(spawn(command[0], [command[1]], { env: cleanEnv(env), stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** What a test starts is small, however large the machine is. */
const small = { DB_MEMORY_MB: '128', API_PROCESSES: '1', WORKER_PROCESSES: '1' };

/** The same in a terminal of its own. */
export function terminalStart(env: Record<string, string>): Started {
  const command = `${process.execPath} dist/scripts/start.js`;
  const args = ['--quiet', '--return', '--command', command, '/dev/null'];
  return follow(spawn('script', args, { env: cleanEnv(env), stdio: ['pipe', 'pipe', 'pipe'] }));
}

/** Variables that Jest and its npm set must not reach this process. */
function cleanEnv(env: Record<string, string>): NodeJS.ProcessEnv {
  const { NODE_OPTIONS, NODE_ENV, npm_lifecycle_event, ...rest } = process.env;
  return { ...rest, ...small, ...env };
}

function follow(child: ChildProcess): Started {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  return { child, output: () => output, ended };
}

/** Its address and key. */
export interface Access {
  address: string;
  apiKey: string;
}

/** Waits for the banner. @throws Error with the output if it exits first, or prints no banner in time */
export async function untilRunning({ output, ended }: Started): Promise<Access> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  const isRunning = () => output().includes('Ctrl-C stops everything.');
  await until('the banner is there', () => over || isRunning(), START_WITHIN_MS).catch(() => undefined);
  if (!isRunning()) throw new Error(`no banner:\n${output()}`);
  const [, address = ''] = /Address +(\S+)/.exec(output()) ?? [];
  const [, keyFile = ''] = /API key +in (\S+)/.exec(output()) ?? [];
  return { address, apiKey: readFileSync(keyFile, 'utf8').trim() };
}

const pidFiles = {
  supervisor: 'lock',
  mariadb: 'mariadb/server.pid',
  redis: 'redis/server.pid',
  api: 'run/api.pid',
  worker: 'run/worker.pid',
};
export type Part = keyof typeof pidFiles;
export const parts: Part[] = ['mariadb', 'redis', 'api', 'worker'];

/** Returns the process of one part of the Muster on a data directory; undefined if it does not run. */
export function pidOf(dataDir: string, part: Part): number | undefined {
  return livingPidIn(join(dataDir, pidFiles[part]));
}

/** Returns the parts that run. */
export function runningParts(dataDir: string): Part[] {
  return parts.filter((part) => pidOf(dataDir, part) !== undefined);
}

/** Returns all records, read through the API. */
export async function readRecords({ address, apiKey }: Access): Promise<Response> {
  return fetch(`${address}/v2/developers/identities`, { headers: { authorization: `ApiKey ${apiKey}` } });
}

/** Stores one record. Resolves to the status. */
export async function storeRecord({ address, apiKey }: Access, identity: string): Promise<number> {
  const response = await fetch(`${address}/v2/developers/identities`, {
    method: 'PATCH',
    headers: { authorization: `ApiKey ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify([{ email: `${identity}@example.com`, integrationId: 1, identity }]),
  });
  await response.arrayBuffer();
  return response.status;
}
