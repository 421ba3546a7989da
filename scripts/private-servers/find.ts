import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Absolute paths of the programs of the two servers, or undefined if they are not found. */
export interface FoundServers {
  database: DatabasePrograms | undefined;
  redis: string | undefined;
}

/** The database server, and the program that initializes its data directory (MySQL's server does that itself). */
export interface DatabasePrograms {
  flavour: 'mariadb' | 'mysql';
  server: string;
  installer: string;
}

/** Distributions install servers outside the PATH of an ordinary user. */
const usualFolders = ['/usr/sbin', '/usr/local/sbin', '/usr/libexec', '/opt/homebrew/bin', '/usr/local/bin'];

/**
 * Looks for `mariadbd` or `mysqld`, and for `redis-server` or `valkey-server`.
 * @param path folders to look in, as in PATH. Default: `MUSTER_SERVER_PATH`, or PATH and the usual folders of servers.
 */
export function findServers(path: string = serverPath()): FoundServers {
  return { database: findDatabase(path), redis: findRedis(path) };
}

function serverPath(): string {
  const { MUSTER_SERVER_PATH: own, PATH: path = '' } = process.env;
  return own ?? [path, ...usualFolders].join(delimiter);
}

function findDatabase(path: string): DatabasePrograms | undefined {
  const mariadb = findProgram('mariadbd', path);
  const installer = findProgram('mariadb-install-db', path);
  if (mariadb && installer) return { flavour: 'mariadb', server: mariadb, installer };
  const mysql = findProgram('mysqld', path);
  return mysql && !mariadb ? { flavour: 'mysql', server: mysql, installer: mysql } : undefined;
}

/** Debian's `redis-tools` contains the server only under the name of its checker: one binary that behaves according to its name. */
function findRedis(path: string): string | undefined {
  const names = ['redis-server', 'valkey-server', 'redis-check-rdb'];
  return names.map((name) => findProgram(name, path)).find((found) => found !== undefined);
}

/** Returns the first executable file of that name in the folders of `path`. */
export function findProgram(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
