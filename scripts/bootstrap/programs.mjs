import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { aptPackages, installWithApt, mayInstall } from './apt.mjs';
import { SetupError } from './run.mjs';

/**
 * Returns a step that installs programs of the system: with apt if that needs no password, otherwise it prints the command to
 * run.
 * @param {{
 *   label: string,
 *   findMissing: () => Promise<string[]>,
 *   describe: (missing: string[]) => string,
 *   otherwise: string,
 * }} what `findMissing` returns names as in `managers`, `describe` returns what is needed and why, `otherwise` is the
 *   advice if no package manager is known
 */
export function programsStep({ label, findMissing, describe, otherwise }) {
  const reject = (missing) => {
    throw new SetupError(`${describe(missing)}, not found here. ${remedy(missing) ?? otherwise}`);
  };
  return {
    label,
    isDone: async () => {
      const missing = await findMissing();
      if (missing.length > 0 && !(await mayInstall())) reject(missing);
      return missing.length === 0;
    },
    run: async () => {
      await installWithApt(await findMissing());
      const missing = await findMissing();
      if (missing.length > 0) reject(missing);
    },
  };
}

/** The packages of each system's package manager. Only those of apt-get are tested. */
const managers = [
  {
    program: 'brew',
    command: 'brew install',
    database: 'mariadb',
    redis: 'redis',
    chromium: '--cask google-chrome',
    faketime: 'libfaketime',
  },
  { program: 'apt-get', command: 'sudo apt-get install --no-install-recommends', ...aptPackages },
  {
    program: 'dnf',
    command: 'sudo dnf install',
    database: 'mariadb-server',
    redis: 'redis',
    chromium: 'chromium',
    faketime: 'libfaketime',
  },
  {
    program: 'apk',
    command: 'sudo apk add',
    database: 'mariadb',
    redis: 'redis',
    chromium: 'chromium',
    faketime: 'libfaketime',
  },
  {
    program: 'pacman',
    command: 'sudo pacman -S',
    database: 'mariadb',
    redis: 'redis',
    chromium: 'chromium',
    faketime: 'libfaketime',
  },
];

/** Returns the exact command for this system, if it has a known package manager. */
function remedy(missing) {
  const manager = managers.find(({ program }) => isInPath(program));
  if (!manager) return undefined;
  return `Run: ${manager.command} ${missing.flatMap((name) => manager[name]).join(' ')}`;
}

function isInPath(program) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}
