import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { type DatabasePrograms, findServers } from '../../../scripts/private-servers/find.js';
import { freePort } from '../../../scripts/processes/free-port.js';
import { spawnGuarded } from '../../../scripts/processes/guarded.js';
import { scratchParent } from '../scratch.js';
import { until } from '../until.js';

/** Returns why this machine cannot run a replica of MariaDB; null if it can. */
export const whyNoReplica = (): string | null =>
  findServers().database?.flavour === 'mariadb' ? null : 'MariaDB was not found';

/** Starts a MariaDB with an asynchronous replica on loopback, both empty: about 2 s. */
export async function startReplicated() {
  const dir = mkdtempSync(join(scratchParent(), 'muster-replicated-'));
  const programs = findServers().database as DatabasePrograms;
  const primary = await startServer(dir, programs, 1);
  const replica = await startServer(dir, programs, 2);
  await replica.database.raw(
    `CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = ${primary.port}, MASTER_USER = 'muster', MASTER_PASSWORD = 'replica', MASTER_USE_GTID = slave_pos, MASTER_CONNECT_RETRY = 1`,
  );
  await replica.database.raw('START SLAVE');
  return {
    primaryUrl: primary.url,
    /** The address of a database of the primary on the replica. */
    replicaUrl: (name: string) => Object.assign(new URL(replica.url), { pathname: `/${name}` }).href,
    /** Connected to the replica. */
    replica: replica.database,
    /** Stops applying what the primary committed. The replica goes on serving reads. */
    pause: () => replica.database.raw('STOP SLAVE SQL_THREAD'),
    resume: () => replica.database.raw('START SLAVE SQL_THREAD'),
    stop: async () => {
      await Promise.all([primary, replica].map(({ database }) => database.destroy()));
      await Promise.all([primary, replica].map(({ running }) => running.stop(0)));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function startServer(dir: string, { server, installer }: DatabasePrograms, id: number) {
  const asRoot = process.getuid?.() === 0 ? ['--user=root'] : [];
  const data = join(dir, String(id));
  mkdirSync(data);
  const install = [
    '--no-defaults',
    `--datadir=./${id}`,
    '--auth-root-authentication-method=normal',
    ...asRoot,
  ];
  execFileSync(installer, [...install, '--skip-test-db', '--innodb-log-file-size=16M'], {
    cwd: dir,
    stdio: 'ignore',
  });
  const port = await freePort();
  const socket = join(data, 'server.sock');
  const options = [
    ...asRoot,
    `--datadir=${data}`,
    `--socket=${socket}`,
    `--port=${port}`,
    `--server-id=${id}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    '--log-bin=log',
    '--binlog-format=ROW',
    '--character-set-server=utf8mb4',
    '--collation-server=utf8mb4_bin',
    '--innodb-buffer-pool-size=64M',
    '--innodb-log-file-size=64M',
    '--innodb-flush-log-at-trx-commit=0',
  ];
  const running = spawnGuarded([server, '--no-defaults', ...options], {
    logFile: join(dir, `${id}.log`),
    pidFile: join(dir, `${id}.pid`),
    orphanSignal: 'KILL',
    removeOrphaned: dir,
  });
  const database = connectDatabase(`mysql://root@localhost/mysql?socketPath=${socket}`);
  await until(`server ${id} responds, see ${running.logFile}`, () => responds(database));
  await database.raw("CREATE USER muster@'%' IDENTIFIED BY 'replica'");
  await database.raw("GRANT ALL ON *.* TO muster@'%'");
  // Both have the account, so it is not replicated.
  await database.raw('RESET MASTER');
  return { running, database, port, url: `mysql://muster:replica@127.0.0.1:${port}/mysql` };
}

const responds = (database: Database): Promise<boolean> =>
  database.raw('SELECT 1').then(
    () => true,
    () => false,
  );
