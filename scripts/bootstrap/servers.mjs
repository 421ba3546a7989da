import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { programsStep } from './programs.mjs';

const names = { database: 'mariadbd (or mysqld)', redis: 'redis-server (or valkey-server)' };

/** Finds the servers for the private instances, or installs them where that needs no question. */
export function serversStep(root) {
  return programsStep({
    label: 'Installing MariaDB and Redis (programs only, no system service)',
    findMissing: () => missingServers(root),
    describe: (missing) => `Muster needs ${missing.map((name) => names[name]).join(' and ')}`,
    otherwise: 'Install them, or set DATABASE_URL and REDIS_URL to servers that you have.',
  });
}

/** `start` on given servers needs no private ones; tests and benchmarks always do. */
async function missingServers(root) {
  const { findServers } = await import(
    pathToFileURL(join(root, 'dist/scripts/private-servers/find.js')).href
  );
  const { npm_lifecycle_event: hook, DATABASE_URL, REDIS_URL } = process.env;
  const found = findServers();
  const given = hook === 'prestart' ? { database: DATABASE_URL, redis: REDIS_URL } : {};
  return ['database', 'redis'].filter((name) => !found[name] && !given[name]);
}
