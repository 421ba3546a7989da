import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { programsStep } from './programs.mjs';

const names = { database: 'mariadbd (or mysqld)', redis: 'redis-server (or valkey-server)' };

/** Finds the servers for the private instances, or installs them if that needs no password. */
export function serversStep(root) {
  return stepFor(root, {});
}

/** Does the same for `npm start`, which starts no private instance of a server that the environment names. */
export function startServersStep(root) {
  const { DATABASE_URL, REDIS_URL } = process.env;
  return stepFor(root, { database: DATABASE_URL, redis: REDIS_URL });
}

function stepFor(root, given) {
  return programsStep({
    label: 'Installing MariaDB and Redis (programs only, no system service)',
    findMissing: () => missingServers(root, given),
    describe: (missing) => `Muster needs ${missing.map((name) => names[name]).join(' and ')}`,
    otherwise: 'Install them, or set DATABASE_URL and REDIS_URL to servers that you have.',
  });
}

async function missingServers(root, given) {
  const { findServers } = await import(
    pathToFileURL(join(root, 'dist/scripts/private-servers/find.js')).href
  );
  const found = findServers();
  return ['database', 'redis'].filter((name) => !found[name] && !given[name]);
}
