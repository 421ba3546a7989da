import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { lastComplaint, lastLogLine } from '../logs/tail.js';
import type { DatabasePrograms } from './find.js';

/**
 * Makes an empty data directory at `data`, which must not exist: about half a second.
 * @throws Error with the installer's last error
 */
export async function initialise(programs: DatabasePrograms, data: string, logFile: string): Promise<void> {
  const log = openSync(logFile, 'a', 0o600);
  const options = programs.flavour === 'mysql' ? mysqlOptions(data) : mariadbOptions(data);
  const child = spawn(programs.installer, ['--no-defaults', ...options, ...asRoot()], {
    cwd: dirname(data),
    // In the usual folder, another server that starts removes its temporary tables.
    env: { ...process.env, TMPDIR: dirname(data) },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code === 0) return;
  throw new Error(`its data could not be made: ${lastComplaint(logFile, 'mariadb') || lastLogLine(logFile)}`);
}

/** The installer is a shell script that splits a path with a space, so it gets a path without folders. */
function mariadbOptions(data: string): string[] {
  return [
    `--datadir=./${basename(data)}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    '--skip-name-resolve',
    '--skip-log-bin',
    '--innodb-log-file-size=16M',
  ];
}

/** MySQL's server initializes its data directory itself. */
function mysqlOptions(data: string): string[] {
  return [`--datadir=${data}`, '--initialize-insecure', '--secure-file-priv=NULL'];
}

/** Both servers run as root only with an explicit option. */
export function asRoot(): string[] {
  return process.getuid?.() === 0 ? ['--user=root'] : [];
}
