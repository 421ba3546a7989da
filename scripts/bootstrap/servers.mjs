import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { aptPackages, installWithApt, mayInstall } from './apt.mjs';
import { SetupError } from './run.mjs';

/** Finds the servers for the private instances, or installs them where that needs no question. */
export function serversStep(root) {
  return {
    label: 'Installing MariaDB and Redis (programs only, no system service)',
    isDone: async () => {
      const missing = await missingServers(root);
      if (missing.length > 0 && !(await mayInstall())) throw new SetupError(adviceFor(missing));
      return missing.length === 0;
    },
    run: async () => {
      await installWithApt(await missingServers(root));
      const missing = await missingServers(root);
      if (missing.length > 0) throw new SetupError(adviceFor(missing));
    },
  };
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

/** What each system's own package manager calls them. Only apt-get's were tried. */
const managers = [
  { program: 'brew', command: 'brew install', database: 'mariadb', redis: 'redis' },
  { program: 'apt-get', command: 'sudo apt-get install --no-install-recommends', ...aptPackages },
  { program: 'dnf', command: 'sudo dnf install', database: 'mariadb-server', redis: 'redis' },
  { program: 'apk', command: 'sudo apk add', database: 'mariadb', redis: 'redis' },
  { program: 'pacman', command: 'sudo pacman -S', database: 'mariadb', redis: 'redis' },
];

/** One line that names the exact command for this system. */
function adviceFor(missing) {
  const names = { database: 'mariadbd (or mysqld)', redis: 'redis-server (or valkey-server)' };
  const what = missing.map((name) => names[name]).join(' and ');
  return `Muster needs ${what}, not found here. ${remedy(missing)}`;
}

function remedy(missing) {
  const manager = managers.find(({ program }) => isInPath(program));
  if (!manager) return 'Install them, or set DATABASE_URL and REDIS_URL to servers that you have.';
  const packages = missing.flatMap((name) => manager[name]).join(' ');
  return `Run: ${manager.command} ${packages}`;
}

function isInPath(program) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}
