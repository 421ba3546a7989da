import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PrivateServers, startPrivateServers } from '../../../scripts/private-servers/index.js';
import { identify, livingPidIn } from '../../../scripts/processes/identity.js';
import { scratchParent } from '../scratch.js';

/** Temporary servers: a database with full access for root, and a Redis without persistence. */
export interface TestServers {
  databaseUrl: string;
  redisUrl: string;
  /** A folder for what else exists as long as the servers. */
  dir: string;
  servers: PrivateServers;
  /** Stops both and removes their data. */
  stop(): Promise<void>;
}

const prefix = 'muster-test-';

/** Starts both in about 0.6 s, in memory if the system has a memory disk. They exit with this process. */
export async function startTestServers(): Promise<TestServers> {
  const parent = scratchParent();
  sweep(parent);
  const dir = mkdtempSync(join(parent, prefix));
  writeFileSync(join(dir, 'owner'), identify(process.pid));
  const servers = await startPrivateServers({
    dir,
    durable: false,
    throwAway: true,
    localInfile: true,
    redoLogMb: 96,
  });
  return {
    databaseUrl: servers.databaseUrls.root,
    redisUrl: servers.redisUrl,
    dir,
    servers,
    stop: async () => {
      await servers.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A killed run cannot clean up after itself; the next one does. */
function sweep(parent: string): void {
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(prefix))) {
    const dir = join(parent, name);
    const owner = join(dir, 'owner');
    if (existsSync(owner) && livingPidIn(owner) === undefined) remove(dir);
  }
}

/** The guardian processes of that run may be doing the same now; the next sweep removes what they leave. */
function remove(dir: string): void {
  try {
    rmSync(dir, { recursive: true, force: true });
  } catch {}
}
