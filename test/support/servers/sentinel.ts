import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { generate } from 'selfsigned';
import { findServers } from '../../../scripts/private-servers/find.js';
import { freePort } from '../../../scripts/processes/free-port.js';
import { until } from '../until.js';
import { end } from './processes.js';

const PASSWORDS = { redis: 'p,%@ssword', sentinel: 'an+other' };
const USER = 'muster';

interface Started {
  child: ChildProcess;
  port: number;
  log: string;
}

/**
 * Starts a Redis master, replicas (default: one) and a Sentinel on loopback, all with TLS only and a user with a password,
 * which is another one for the Sentinel.
 */
export async function startSentinel({ replicas: count = 1 } = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'muster-sentinel-'));
  const ca = join(dir, 'cert.pem');
  await createCertificate(dir);
  const program = join(dir, 'redis-server');
  symlinkSync(findServers().redis as string, program);

  const started: Started[] = [];
  const stop = async () => {
    await Promise.all(started.map(({ child }) => end(child, 'SIGKILL')));
    rmSync(dir, { recursive: true, force: true });
  };
  const launch = async (role: string, settings: (port: number) => string[]): Promise<Started> => {
    const port = await freePort();
    const folder = join(dir, role);
    mkdirSync(folder);
    const file = join(folder, 'redis.conf');
    const log = join(folder, 'log');
    const lines = [
      'port 0',
      `tls-port ${port}`,
      'bind 127.0.0.1',
      `dir ${folder}`,
      `tls-cert-file ${ca}`,
      `tls-key-file ${join(dir, 'key.pem')}`,
      `tls-ca-cert-file ${ca}`,
      'tls-auth-clients no',
      'tls-replication yes',
      'user default off',
      ...settings(port),
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
    const more = role === 'sentinel' ? ['--sentinel'] : [];
    const output = openSync(log, 'w');
    const child = spawn(program, [file, ...more], { stdio: ['ignore', output, output] });
    closeSync(output);
    const server = { child, port, log };
    started.push(server);
    return server;
  };
  const data = [
    `user ${USER} on >${PASSWORDS.redis} ~* &* +@all`,
    `masteruser ${USER}`,
    `masterauth ${PASSWORDS.redis}`,
    'maxmemory-policy noeviction',
    // A replica copies its master at once instead of after 5 s.
    'repl-diskless-sync-delay 0',
    'save ""',
  ];
  const master = await launch('master', () => data);
  const replicas: Started[] = [];
  for (let i = 0; i < count; i++)
    replicas.push(await launch(`replica-${i}`, () => [...data, `replicaof 127.0.0.1 ${master.port}`]));
  const connect = ({ port }: Started) =>
    new Redis({
      port,
      username: USER,
      password: PASSWORDS.redis,
      tls: { rejectUnauthorized: false },
      retryStrategy: () => 50,
    });
  /** Sets the password with which the replicas connect to a master. */
  const authenticate = async (password: string) => {
    for (const replica of replicas.map(connect)) {
      await replica.config('SET', 'masterauth', password);
      replica.disconnect();
    }
  };
  try {
    for (const replica of replicas) await isInSync(connect(replica), [master, replica]);
  } catch (error) {
    await stop();
    throw error;
  }
  const sentinel = await launch('sentinel', () => [
    `user ${USER} on >${PASSWORDS.sentinel} ~* &* +@all`,
    `sentinel monitor main 127.0.0.1 ${master.port} 1`,
    `sentinel auth-user main ${USER}`,
    `sentinel auth-pass main ${PASSWORDS.redis}`,
    'sentinel down-after-milliseconds main 1000',
    'sentinel failover-timeout main 5000',
  ]);

  const userinfo = `${USER}:${encodeURIComponent(PASSWORDS.redis)}`;
  return {
    /** With everything that the client needs. Trust the certificate with `NODE_EXTRA_CA_CERTS`. */
    url: `rediss+sentinel://${userinfo}@127.0.0.1:${sentinel.port}/main?sentinelPassword=${PASSWORDS.sentinel}`,
    ca,
    /** Kills the master as a crash of its machine does. The Sentinel then promotes a replica, and the others copy that one. */
    killMaster: async () => {
      await end(master.child, 'SIGKILL');
      await authenticate(PASSWORDS.redis);
    },
    /** The processes of the replicas. */
    replicas: replicas.map(({ child }) => child),
    /** Separates the replicas from the master as a broken network does. Only a failover ends it. */
    partition: async () => {
      await authenticate('wrong');
      const from = connect(master);
      await from.call('CLIENT', 'KILL', 'TYPE', 'replica');
      from.disconnect();
    },
    stop,
  };
}

async function createCertificate(dir: string): Promise<void> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'redis' }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  writeFileSync(join(dir, 'cert.pem'), cert);
  writeFileSync(join(dir, 'key.pem'), key, { mode: 0o600 });
}

/**
 * Waits until a replica has copied its master, and closes the connection.
 * @throws Error with the logs of both servers if it does not
 */
async function isInSync(replica: Redis, servers: readonly Started[]): Promise<void> {
  replica.on('error', () => {});
  try {
    await until('the replica has copied its master', async () => {
      if (servers.some(({ child }) => child.exitCode !== null)) throw new Error('a server has exited');
      return (await replica.info('replication').catch(() => '')).includes('master_link_status:up');
    });
  } catch (error) {
    const logs = servers.map(({ log }) => readFileSync(log, 'utf8').slice(-2_000)).join('\n');
    throw new Error(`${(error as Error).message}\n${logs}`);
  } finally {
    replica.disconnect();
  }
}
