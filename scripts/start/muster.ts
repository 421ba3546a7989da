import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateKeyText } from '../../db/access/api-keys.js';
import { counted, wholeNumber } from '../../workers/text/quantities.js';
import { followLog, rotateLog } from '../logs/follow.js';
import { Crew } from '../processes/crew.js';
import { endPrevious } from '../processes/previous.js';
import { banner } from './banner.js';
import { takeDataDir } from './data-dir.js';
import { prepareDatabase } from './prepare-database.js';
import { pidFilesIn, programProcesses } from './processes.js';
import { compilers, programs } from './programs.js';
import { startReceiver, type TryReceiver } from './receiver.js';
import { recordAddresses, removeRecord } from './record.js';
import { keptSecret } from './secrets.js';
import { logFileOf, logStyleOf } from './services.js';
import type { StartSettings } from './settings.js';
import { startStores } from './stores.js';
import { complaintPrinter, say, supervisorEvents, timed } from './terminal.js';

/**
 * Runs all of Muster until `stop` is aborted: private servers, migrations, API and worker. Restarts each of them when it exits.
 * Stops everything that it started before it returns or throws.
 * @param options `watch` also runs the compilers, and restarts the API and the worker when their code changes
 * @throws Error with one line to show
 */
export async function runMuster(
  given: StartSettings,
  stop: AbortSignal,
  { watch = false }: { watch?: boolean } = {},
): Promise<void> {
  // One of each is enough to develop, and Node cannot restart processes that share a port.
  const settings = watch ? { ...given, processes: { api: 1, worker: 1 } } : given;
  const { dataDir } = settings;
  const release = takeDataDir(dataDir, !settings.databaseUrl);
  const crew = new Crew(supervisorEvents);
  const unfollow = followLogs(settings);
  const receiver = await startReceiver();
  try {
    const running = startAndStay(settings, { crew, receiver, watch });
    await Promise.race([running, whenAborted(stop), crew.lost]);
  } finally {
    await crew.stop();
    receiver.close();
    unfollow();
    removeRecord(dataDir);
    release();
  }
}

async function startAndStay(
  settings: StartSettings,
  { crew, receiver, watch }: { crew: Crew; receiver: TryReceiver; watch: boolean },
): Promise<void> {
  const { dataDir } = settings;
  // The programs of a start that was killed keep their port until they exit.
  for (const file of pidFilesIn(dataDir)) await endPrevious(file);
  const port = await claimPort(settings.port, settings.host);
  const stores = await timed(storesStep(settings), () => startStores(settings, crew));
  const apiKey = await timed('Database schema', () => prepare(settings, stores.databaseUrls.owner));
  const address = `http://${reachable(settings.host)}:${port}`;
  await timed(programsStep(settings), async () => {
    await crew.start(programs({ ...settings, port }, { stores, receiver, watch }));
    await waitUntilReadyz(address);
  });
  recordAddresses(dataDir, { address, receiver: receiver.url });
  const keyFile = settings.apiKey ? null : keyFileOf(dataDir);
  say(banner({ address, apiKey, keyFile, dataDir, isTerminal: process.stdout.isTTY === true }));
  if (watch) await crew.start(compilers(address));
  await forever();
}

/** Names the memory of a private database, because it follows from the machine. */
const storesStep = ({ databaseUrl, databaseMemoryMb }: StartSettings): string =>
  databaseUrl ? 'MariaDB and Redis' : `MariaDB (${wholeNumber(databaseMemoryMb)} MB) and Redis`;

/** `API and worker`, `2 APIs and 3 workers` */
function programsStep({ processes: { api, worker } }: StartSettings): string {
  if (api === 1 && worker === 1) return 'API and worker';
  return `${counted(api, 'API')} and ${counted(worker, 'worker')}`;
}

const keyFileOf = (dataDir: string): string => join(dataDir, 'api-key');

/** Prepares the database and returns the first key. Replaces a first key that was revoked or has expired. */
async function prepare({ databaseUrl, apiKey, dataDir }: StartSettings, ownerUrl: string): Promise<string> {
  const file = keyFileOf(dataDir);
  const key = apiKey ?? keptSecret(file, generateKeyText);
  const isPrivate = !databaseUrl;
  if ((await prepareDatabase({ ownerUrl, isPrivate, apiKey: key, say })) || apiKey) return key;
  rmSync(file);
  const another = keptSecret(file, generateKeyText);
  await prepareDatabase({ ownerUrl, isPrivate, apiKey: another });
  return another;
}

function followLogs({ dataDir, processes }: StartSettings): () => void {
  const names = ['mariadb', 'redis', ...programProcesses(processes).map(({ name }) => name)];
  const ends = names.map((name) => {
    const file = logFileOf(dataDir, name);
    rotateLog(file);
    return followLog(file, complaintPrinter(name, logStyleOf(name)));
  });
  return () => {
    for (const end of ends) end();
  };
}

/** Returns the address under which this machine reaches a server, also one that listens on all addresses. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function forever(): Promise<never> {
  return new Promise(() => undefined);
}

/**
 * Returns the port for the API: the requested one if it is free, or any free one for 0.
 * @throws Error in one line if the port cannot be used
 */
async function claimPort(port: number, host: string): Promise<number> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  } catch (error) {
    throw new Error(explain(port, host, error as NodeJS.ErrnoException));
  } finally {
    server.close();
  }
}

function explain(port: number, host: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use. Set PORT to a free one, for example: PORT=${port + 1} npm start`;
  if (code === 'EACCES') return `This user may not listen on port ${port}. Set PORT to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST ${host} is not an address of this machine.`;
  return `The API cannot listen on ${host}, port ${port}: ${message}`;
}

const timeoutMs = 60_000;

/**
 * Waits until the API is ready: `GET /readyz` returns 200.
 * @param address such as `http://127.0.0.1:3000`
 * @throws Error if it is not ready after a minute
 */
async function waitUntilReadyz(address: string): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let last = 'no response';
  while (Date.now() < deadline) {
    last = await ask(`${address}/readyz`);
    if (last === '') return;
    await sleep(50);
  }
  throw new Error(`The API is not ready after a minute (${last}). See its log.`);
}

/** Returns an empty text if the API is ready, otherwise the reason. */
async function ask(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    const report = (await response.json()) as Record<string, unknown>;
    return response.ok ? '' : `without ${missingIn(report)}`;
  } catch {
    return 'no response';
  }
}

function missingIn(report: Record<string, unknown>): string {
  const names = Object.keys(report).filter((name) => report[name] === false);
  return names.join(' and ');
}
