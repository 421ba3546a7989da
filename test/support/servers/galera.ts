import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectDatabase } from '../../../db/client/connect.js';
import { type DatabasePrograms, findServers } from '../../../scripts/private-servers/find.js';
import { freePort } from '../../../scripts/processes/free-port.js';
import { spawnGuarded } from '../../../scripts/processes/guarded.js';
import { identify } from '../../../scripts/processes/identity.js';
import { unpackedEngine } from '../engines/describe-engine.js';
import { type Host, loopback } from '../hosts/network.js';
import { scratchParent } from '../scratch.js';
import { until } from '../until.js';

/** Returns why this machine cannot run a Galera Cluster; null if it can. */
export function whyNoGalera(): string | null {
  if (findServers().database?.flavour !== 'mariadb') return 'MariaDB was not found';
  return unpackedEngine('galera') ? null : 'Galera could not be downloaded';
}

export type Galera = Awaited<ReturnType<typeof startGalera>>;
type Node = Awaited<ReturnType<typeof startNode>>;

/** What the clients use. */
const ACCOUNT = 'muster:galera';
/** The scripts that copy a node refuse to write files as root. */
const USER = process.getuid?.() === 0 ? 'nobody' : undefined;

interface Layout {
  dir: string;
  programs: DatabasePrograms;
  /** Where each node runs. */
  hosts: readonly Host[];
  /** Of each node: for SQL, for the group, for what a node missed, for a copy of everything. */
  ports: number[][];
}

/** Starts a Galera Cluster of three nodes, by default on loopback, with an empty database `muster`: about 10 s. */
export async function startGalera(hosts: readonly Host[] = [loopback, loopback, loopback]) {
  const layout = await planNodes(hosts);
  installData(layout);
  const nodes = [await startNode(layout, 0, '--wsrep-new-cluster')];
  await createAccount(nodes[0] as Node);
  // One after the other: a node that is being copied does not serve a second one.
  for (const index of [1, 2]) nodes.push(await startNode(layout, index));
  return {
    nodes,
    /** The address of the database on each node, over TCP. */
    urls: hosts.map(({ address }, i) => `mysql://${ACCOUNT}@${address}:${layout.ports[i]?.[0]}/muster`),
    /** Kills a node as a crash of its host does. */
    kill: (index: number) => (nodes[index] as Node).kill(),
    /** Starts a killed node again. It gets what it missed from the others. */
    restart: async (index: number) => {
      nodes[index] = await startNode(layout, index);
    },
    stop: async () => {
      await Promise.all(nodes.map((node) => node.kill()));
      rmSync(layout.dir, { recursive: true, force: true });
    },
  };
}

async function planNodes(hosts: readonly Host[]): Promise<Layout> {
  // The next run of any tests removes what a killed one leaves.
  const dir = mkdtempSync(join(scratchParent(), 'muster-test-galera-'));
  writeFileSync(join(dir, 'owner'), identify(process.pid));
  chmodSync(dir, 0o755);
  const ports = [];
  for (let i = 0; i < 3; i++)
    ports.push([await freePort(), await freePort(), await freePort(), await freePort()]);
  for (const index of ports.keys()) mkdirSync(join(dir, String(index)));
  if (USER) for (const index of ports.keys()) execFileSync('chown', [USER, join(dir, String(index))]);
  return { dir, programs: findServers().database as DatabasePrograms, hosts, ports };
}

function installData({ dir, programs }: Layout): void {
  const options = [
    '--no-defaults',
    '--datadir=./0',
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    '--innodb-log-file-size=16M',
    ...(USER ? [`--user=${USER}`] : []),
  ];
  execFileSync(programs.installer, options, { cwd: dir, stdio: 'ignore' });
}

async function startNode({ dir, programs, hosts, ports }: Layout, index: number, ...more: string[]) {
  const socket = join(dir, String(index), 'node.sock');
  const host = hosts[index] as Host;
  const [sql, , increments, copies] = ports[index] as number[];
  const groups = hosts.map(({ address }, i) => `${address}:${ports[i]?.[1]}`);
  const options = [
    ...(USER ? [`--user=${USER}`] : []),
    `--datadir=${join(dir, String(index))}`,
    `--socket=${socket}`,
    `--port=${sql}`,
    `--bind-address=${host.address}`,
    '--skip-name-resolve',
    '--character-set-server=utf8mb4',
    '--collation-server=utf8mb4_bin',
    '--max-allowed-packet=64M',
    '--innodb-lock-wait-timeout=5',
    '--innodb-buffer-pool-size=64M',
    '--innodb-log-file-size=64M',
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-autoinc-lock-mode=2',
    '--binlog-format=ROW',
    '--wsrep-on=ON',
    `--wsrep-provider=${unpackedEngine('galera')}/usr/lib/galera/libgalera_smm.so`,
    '--wsrep-cluster-name=muster',
    `--wsrep-cluster-address=gcomm://${groups.join(',')}`,
    `--wsrep-node-address=${groups[index]}`,
    `--wsrep-node-name=node-${index}`,
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=${host.address}:${copies}`,
    `--wsrep-provider-options=gmcast.listen_addr=tcp://${groups[index]};ist.recv_addr=${host.address}:${increments};gcache.size=64M`,
    ...more,
  ];
  const running = spawnGuarded(
    [...host.within, '/usr/bin/env', ...withGalera(), programs.server, '--no-defaults', ...options],
    {
      logFile: join(dir, `${index}.log`),
      pidFile: join(dir, `${index}.pid`),
      orphanSignal: 'KILL',
    },
  );
  const url = `mysql://root@localhost/mysql?socketPath=${socket}`;
  await until(`node ${index} has joined the cluster, see ${running.logFile}`, () => isSynced(url), 60_000);
  return {
    url: url.replace('/mysql?', '/muster?'),
    pid: running.pid,
    kill: async () => {
      await running.stop(0);
    },
  };
}

/** The environment with the scripts that copy a node, and the libraries of what they call. */
function withGalera(): string[] {
  const usr = `${unpackedEngine('galera')}/usr`;
  return [
    `PATH=${usr}/bin:${process.env.PATH}`,
    `LD_LIBRARY_PATH=${usr}/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`,
  ];
}

async function isSynced(url: string): Promise<boolean> {
  const database = connectDatabase(url);
  try {
    const [[status]] = await database.raw("SHOW STATUS LIKE 'wsrep_local_state_comment'");
    return status?.Value === 'Synced';
  } catch {
    return false;
  } finally {
    await database.destroy();
  }
}

async function createAccount({ url }: Node): Promise<void> {
  const database = connectDatabase(url.replace('/muster?', '/mysql?'));
  const [user, password] = ACCOUNT.split(':');
  await database.raw('CREATE DATABASE muster');
  await database.raw(`CREATE USER '${user}'@'%' IDENTIFIED BY '${password}'`);
  await database.raw(`GRANT ALL ON *.* TO '${user}'@'%'`);
  await database.destroy();
}
