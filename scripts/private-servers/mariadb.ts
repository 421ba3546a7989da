import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnGuarded } from '../processes/guarded.js';
import { endPrevious } from '../processes/previous.js';
import type { RunningProcess } from '../processes/running.js';
import type { DatabasePrograms } from './find.js';
import { asRoot, initialise } from './mariadb-init.js';
import { accounts, type DatabaseUser, keptPasswords, type Passwords } from './passwords.js';
import { waitUntilReady } from './ready.js';
import { socketFolder } from './sockets.js';

export interface MariadbOptions {
  /** Contains `mariadb/` (data, passwords). Created if missing. Absolute. */
  dir: string;
  programs: DatabasePrograms;
  logFile: string;
  /** Whether a commit is on disk before it is acknowledged. Use false only for temporary data. */
  durable: boolean;
  /** MiB. Default 256. */
  bufferPoolMb?: number;
  /** MiB of redo log. Default 512. It is allocated at once, so use less if the disk is memory. */
  redoLogMb?: number;
  /** Default 200. */
  maxConnections?: number;
  /** Allows LOAD DATA LOCAL. Default false. */
  localInfile?: boolean;
  /** Removes the data when this process exits without stopping the server. Default false. */
  throwAway?: boolean;
}

/** A running private database, with an address for each account. */
export interface RunningMariadb extends RunningProcess {
  urls: Record<DatabaseUser, string>;
}

/**
 * Starts a private MariaDB (or MySQL) that listens on a socket only, with the database `muster` and its users.
 * Initializes the data on the first start, and waits until an earlier server has released it.
 * @param stop aborts the wait and stops the server
 * @throws Error with the server's last log line if it does not start
 */
export async function startMariadb(options: MariadbOptions, stop?: AbortSignal): Promise<RunningMariadb> {
  const home = join(options.dir, 'mariadb');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  await endPrevious(join(home, 'server.pid'));
  await makeData(home, options);
  const passwords = keptPasswords(join(home, 'passwords.json'));
  writeFileSync(join(home, 'accounts.sql'), accountStatements(passwords), { mode: 0o600 });
  const socketPath = join(socketFolder(options.dir), 'mysql.sock');
  const server = await run(home, socketPath, options, stop);
  return { ...server, urls: urlsOf(socketPath, passwords) };
}

/** Creates the data directory under a temporary name and renames it when it is complete, so that a partial one is never used. */
async function makeData(home: string, options: MariadbOptions): Promise<void> {
  const data = join(home, 'data');
  for (const name of readdirSync(home).filter((entry) => entry.startsWith('data.new'))) {
    rmSync(join(home, name), { recursive: true });
  }
  if (existsSync(data)) return;
  const fresh = join(home, `data.new-${process.pid}`);
  await initialise(options.programs, fresh, options.logFile);
  renameSync(fresh, data);
}

async function run(
  home: string,
  socketPath: string,
  options: MariadbOptions,
  stop?: AbortSignal,
): Promise<RunningProcess> {
  // MySQL does not start on a socket whose lock file names a running process, even if that is another program by now.
  for (const stale of [socketPath, `${socketPath}.lock`]) rmSync(stale, { force: true });
  const server = spawnGuarded(
    [options.programs.server, '--no-defaults', ...serverOptions(home, socketPath, options)],
    {
      logFile: options.logFile,
      pidFile: join(home, 'server.pid'),
      ...(options.throwAway ? { orphanSignal: 'KILL' as const, removeOrphaned: home } : {}),
    },
  );
  await waitUntilReady(server, { socketPath, isReady: isGreeting }, stop);
  return server;
}

/** Protocol version 10 after the packet's 4-byte header; an error packet has 255 there. */
function isGreeting(packet: Buffer): boolean {
  return packet[4] === 10;
}

function serverOptions(home: string, socketPath: string, options: MariadbOptions): string[] {
  const { durable, bufferPoolMb = 256, redoLogMb = 512, maxConnections = 200, localInfile = false } = options;
  return [
    ...asRoot(),
    `--datadir=${join(home, 'data')}`,
    `--tmpdir=${home}`,
    `--socket=${socketPath}`,
    `--pid-file=${join(home, 'mariadbd.pid')}`,
    `--init-file=${join(home, 'accounts.sql')}`,
    '--skip-networking',
    '--skip-log-bin',
    '--character-set-server=utf8mb4',
    '--collation-server=utf8mb4_bin',
    '--default-time-zone=+00:00',
    '--performance-schema=OFF',
    '--max-allowed-packet=64M',
    `--max-connections=${maxConnections}`,
    '--table-open-cache=400',
    '--innodb-lock-wait-timeout=5',
    `--local-infile=${localInfile ? 1 : 0}`,
    `--innodb-buffer-pool-size=${bufferPoolMb}M`,
    ...ownOptions(options.programs.flavour, redoLogMb),
    `--innodb-flush-log-at-trx-commit=${durable ? 1 : 0}`,
    `--innodb-doublewrite=${durable ? 1 : 0}`,
    '--innodb-buffer-pool-dump-at-shutdown=0',
    '--innodb-buffer-pool-load-at-startup=0',
  ];
}

/**
 * MySQL 8.0.30 renamed the option of the redo log. MySQL also listens on a port for the X protocol, and does not start
 * without the folder for files of the distribution's package, which Muster does not use.
 */
function ownOptions(flavour: DatabasePrograms['flavour'], megabytes: number): string[] {
  return flavour === 'mysql'
    ? [`--innodb-redo-log-capacity=${megabytes}M`, '--mysqlx=OFF', '--secure-file-priv=NULL']
    : [`--innodb-log-file-size=${megabytes}M`, '--log-warnings=1'];
}

/**
 * Returns the statements that the server runs at every start before it accepts connections. This needs no root password,
 * and restores lost passwords. One statement per line, as `--init-file` requires.
 */
function accountStatements(passwords: Passwords): string {
  const made = Object.entries(accounts).flatMap(([user, name]) => [
    `CREATE USER IF NOT EXISTS '${name}'@'localhost';`,
    `ALTER USER '${name}'@'localhost' IDENTIFIED BY '${passwords[user as DatabaseUser]}';`,
  ]);
  return [
    'CREATE DATABASE IF NOT EXISTS muster;',
    `DROP USER IF EXISTS ''@'localhost';`,
    ...made,
    `GRANT ALL PRIVILEGES ON muster.* TO '${accounts.owner}'@'localhost' WITH GRANT OPTION;`,
    '',
  ].join('\n');
}

function urlsOf(socketPath: string, passwords: Passwords): Record<DatabaseUser, string> {
  const query = new URLSearchParams({ socketPath });
  const url = (user: DatabaseUser) =>
    `mysql://${accounts[user]}:${passwords[user]}@localhost/muster?${query}`;
  return { root: url('root'), owner: url('owner'), api: url('api'), worker: url('worker') };
}
