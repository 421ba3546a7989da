import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fleet, Restore } from '../servers/fleet.js';
import { unpackedEngine } from './describe-engine.js';

export type Backup = Awaited<ReturnType<typeof takeBackup>>;

/** The base of the append-only file, as Redis 7 names it. */
const BASE = 'appendonly.aof.1.base.rdb';

/** Backs up the servers and files of a fleet while it works, in the order and with the programs of docs/operating/backup.md. */
export async function takeBackup({ dir, servers }: Fleet) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-backup-'));
  const copyFiles = () => cpSync(join(dir, 'data/files'), join(folder, 'files'), { recursive: true });
  copyFiles();
  const socket = servers.redis.url.replace('unix://', '');
  await run('redis-cli', ['-s', socket, '--rdb', join(folder, 'dump.rdb')]);
  const dump = ['--single-transaction', '--quick', '--hex-blob'];
  await runClient('mariadb-dump', servers.mariadb.urls.root, dump, { stdout: join(folder, 'muster.sql') });
  copyFiles();
  const restore: Restore = {
    files: (into) => {
      cpSync(join(folder, 'files'), join(into, 'data/files'), { recursive: true });
      const appendOnly = join(into, 'redis/appendonlydir');
      mkdirSync(appendOnly, { recursive: true });
      cpSync(join(folder, 'dump.rdb'), join(appendOnly, BASE));
      writeFileSync(join(appendOnly, 'appendonly.aof.manifest'), `file ${BASE} seq 1 type b\n`);
    },
    database: (url) => runClient('mariadb', url, [], { stdin: join(folder, 'muster.sql') }),
  };
  return { restore, remove: () => rmSync(folder, { recursive: true }) };
}

/** Runs a client of MariaDB on the database of an address. */
async function runClient(
  program: 'mariadb' | 'mariadb-dump',
  address: string,
  options: readonly string[],
  files: Files,
): Promise<void> {
  const { searchParams, username, password, pathname } = new URL(address);
  const account = [`--socket=${searchParams.get('socketPath')}`, `--user=${username}`];
  const args = ['--no-defaults', ...account, ...options, pathname.slice(1)];
  const env = { MYSQL_PWD: decodeURIComponent(password) };
  await run(join(unpackedEngine('backup') as string, 'usr/bin', program), args, { ...files, env });
}

/** Files instead of the standard input and output of a program. */
interface Files {
  stdin?: string;
  stdout?: string;
}

async function run(
  program: string,
  args: readonly string[],
  { stdin, stdout, env }: Files & { env?: NodeJS.ProcessEnv } = {},
): Promise<void> {
  const input = stdin ? openSync(stdin, 'r') : 'ignore';
  const output = stdout ? openSync(stdout, 'w') : 'ignore';
  const child = spawn(program, [...args], { ...(env && { env }), stdio: [input, output, 'inherit'] });
  const [code] = await once(child, 'exit');
  for (const file of [input, output]) if (typeof file === 'number') closeSync(file);
  if (code !== 0) throw new Error(`${program} exited with ${code}`);
}
