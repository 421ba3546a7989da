import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { runUpload } from '../../../../scripts/upload/run.js';
import { type CuttingProxy, startCuttingProxy } from '../../../support/faults/cutting-proxy.js';
import { type Stack, startStack } from '../../../support/servers/stack.js';

/** The environment of the upload client's tests. Available once `useDesk` has run. */
export interface Desk {
  stack: Stack;
  /** With all scopes. */
  key: string;
  /** A new one for each test. */
  folder: string;
  /** A file in the folder; not written yet. */
  file: string;
}
export const desk = {} as Desk;
const proxies: CuttingProxy[] = [];

/** The secret with which the stack proves that it belongs to a data directory. */
export const greetingKey = '0123456789abcdef'.repeat(4);
export const header = 'email,integrationId,identity\n';
export const good = (name: string) => `${name}@example.com,7,${name}\n`;
export const rows = (count: number) =>
  header + Array.from({ length: count }, (_, i) => good(`dev-${i}`)).join('');

/**
 * Starts one stack for the tests of a file. It accepts uploads of up to 3 MB, and its tables are empty at the start
 * of each test.
 */
export function useDesk(): void {
  beforeAll(async () => {
    desk.stack = await startStack({ env: { UPLOAD_MAX_BYTES: '3000000', GREETING_KEY: greetingKey } });
    desk.key = await desk.stack.key();
  });
  afterAll(() => desk.stack.stop());
  beforeEach(() => {
    desk.folder = mkdtempSync(join(tmpdir(), 'muster-upload-'));
    desk.file = join(desk.folder, 'team.csv');
  });
  afterEach(async () => {
    await Promise.all(proxies.splice(0).map((proxy) => proxy.stop()));
    rmSync(desk.folder, { recursive: true });
    await desk.stack.database('identities').delete();
    await desk.stack.database('jobs').delete();
  });
}

interface RunOptions {
  env?: Record<string, string>;
  isTTY?: boolean;
  stop?: AbortController;
  /** Called with the whole screen so far, each time that something is added. */
  onScreen?: (text: string) => void;
}

/** Runs the command line in this process, as on a terminal. */
export async function upload(args: string[], options: RunOptions = {}) {
  const { env, isTTY = false, stop = new AbortController(), onScreen } = options;
  let out = '';
  let screen = '';
  const code = await runUpload(args, {
    env: { MUSTER_URL: desk.stack.url, MUSTER_API_KEY: desk.key, DATA_DIR: desk.folder, ...env },
    out: {
      write: (text) => {
        out += text;
      },
    },
    err: {
      isTTY,
      columns: 80,
      write: (text) => {
        screen += text;
        onScreen?.(screen);
      },
    },
    stop: stop.signal,
  });
  return { code, out, screen };
}

/** Starts a proxy in front of the stack, for this test. */
export async function proxy(): Promise<CuttingProxy> {
  const started = await startCuttingProxy(desk.stack.port);
  proxies.push(started);
  return started;
}

export const storedRows = () =>
  desk.stack.database('identities').whereNotNull('email').orderBy('identity').pluck('identity');
export const jobs = () => desk.stack.database('jobs').orderBy('id');
