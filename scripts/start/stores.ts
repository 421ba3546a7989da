import type { DatabaseUser } from '../private-servers/passwords.js';
import type { Crew } from '../processes/crew.js';
import { programProcesses } from './processes.js';
import { privateServices } from './services.js';
import type { StartSettings } from './settings.js';

/** The addresses of the stores, with the database account of each process. */
export interface Stores {
  databaseUrls: Record<Exclude<DatabaseUser, 'root'>, string>;
  redisUrl: string;
}

/** Returns the stores that the settings name, and starts a private one in the crew for each that they do not name. */
export async function startStores(settings: StartSettings, crew: Crew): Promise<Stores> {
  const { databaseUrl, redisUrl, dataDir, databaseMemoryMb, processes } = settings;
  const { mariadb, redis } = privateServices(dataDir, {
    bufferPoolMb: databaseMemoryMb,
    maxConnections: connectionsFor(programProcesses(processes).length),
  });
  const [databaseUrls, queueUrl] = await Promise.all([
    databaseUrl ? sameForAll(databaseUrl) : crew.start([mariadb]).then(([{ urls }]) => urls),
    redisUrl ?? crew.start([redis]).then(([{ url }]) => url),
  ]);
  return { databaseUrls, redisUrl: queueUrl };
}

/** Connections that a process opens at most: the API has pools for requests, lookups and checks. */
const connectionsEach = 20;
const leastConnections = 200;

/** Returns how many connections the database must accept, with room for tools and for a process that is being replaced. */
const connectionsFor = (processes: number): number =>
  Math.max(leastConnections, connectionsEach * (processes + 2));

function sameForAll(url: string): Stores['databaseUrls'] {
  return { owner: url, api: url, worker: url };
}
