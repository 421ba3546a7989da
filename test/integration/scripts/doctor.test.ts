import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Queue } from 'bullmq';
import { checkSecretKey } from '../../../api/access/secret-check.js';
import { grantRights } from '../../../db/access/grants.js';
import { beatForReplicas } from '../../../db/client/replica/replica.js';
import { insertJob } from '../../../db/jobs/jobs.js';
import { insertDestination } from '../../../db/outbox/destinations.js';
import { runDoctor } from '../../../scripts/doctor/run.js';
import { type PrivateServers, startPrivateServers } from '../../../scripts/private-servers/index.js';
import { SecretBox } from '../../../workers/process/secret-box.js';
import { connectWorker, type RedisConnection } from '../../../workers/queues/connection.js';
import { alertIntake } from '../../../workers/queues/contracts/alert-intake.js';
import { identityExport } from '../../../workers/queues/contracts/identity-export.js';
import { beat } from '../../../workers/queues/heartbeat.js';
import { MailServer } from '../../support/outbox/mail-server.js';
import { SOME_DESTINATION } from '../../support/outbox/some-destination.js';
import { scratchParent } from '../../support/scratch.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { startDatabaseDoor } from '../../support/servers/database-door.js';
import { startS3 } from '../../support/servers/s3.js';

/** Separate servers, because the tests change their settings and freeze them. */
let dir: string;
let servers: PrivateServers;
let db: TestDatabase;
let redis: RedisConnection;
let env: Record<string, string>;

const KEY = 'dGhpcyBpcyBhIHNlY3JldCBrZXkgb2YgdGhlIHRlc3Rz';
const PASSWORD = 'pass%word-of-the-account';
const PREFIX = '{doctor}';

/** Returns the URL of the database for an account that has exactly the rights of the API. */
async function createAccount(): Promise<string> {
  const account = "'doctor_api'@'localhost'";
  await db.database.raw(`CREATE USER ${account} IDENTIFIED BY '${PASSWORD}'`);
  await grantRights(db.database, db.name, account, 'api');
  const url = new URL(db.url);
  [url.username, url.password] = ['doctor_api', encodeURIComponent(PASSWORD)];
  return url.href;
}

beforeAll(async () => {
  dir = mkdtempSync(join(scratchParent(), 'muster-doctor-'));
  servers = await startPrivateServers({ dir, durable: true, redoLogMb: 16 });
  db = await createTestDatabase(servers.databaseUrls.root);
  await db.database.raw('SET GLOBAL innodb_lock_wait_timeout = 5');
  redis = connectWorker(servers.redisUrl);
  await checkSecretKey(db.database, new SecretBox(KEY));
  const folder = join(dir, 'muster');
  mkdirSync(join(folder, 'files'), { recursive: true });
  env = {
    DATABASE_URL: await createAccount(),
    REDIS_URL: servers.redisUrl,
    REDIS_PREFIX: PREFIX,
    SECRET_KEY: KEY,
    DATA_DIR: folder,
  };
});
afterAll(async () => {
  redis.disconnect();
  await db.drop();
  await servers.stop();
  rmSync(dir, { recursive: true });
});
beforeEach(() => beat(redis, PREFIX, 'a-worker'));

interface Check {
  check: string;
  level: string;
  found: string;
  advice: string;
}

async function run(args: string[], more: Record<string, string> = {}, clock = Date.now) {
  const said = { out: '', err: '' };
  const sink = (name: 'out' | 'err') => ({
    write: (part: string) => {
      said[name] += part;
    },
  });
  const context = { env: { ...env, ...more }, out: sink('out'), err: sink('err'), clock };
  const code = await runDoctor(args, context);
  for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), KEY]) {
    expect(said.out + said.err).not.toContain(secret);
  }
  return { code, ...said };
}

/** Returns the exit code, and the checks that are not ok. */
async function problems(more: Record<string, string> = {}, clock = Date.now, args: string[] = []) {
  const { code, out } = await run(['--json', ...args], more, clock);
  const { checks } = JSON.parse(out) as { checks: Check[] };
  return { code, found: checks.filter(({ level }) => level !== 'ok') };
}

/** A finding that is not ok, with what it says. */
const problem = (check: string, level: string, found: RegExp, advice = /\w.*\.$/) => ({
  check,
  level,
  found: expect.stringMatching(found),
  advice: expect.stringMatching(advice),
});

test('a sound deployment: a line for each check, and nothing stays behind', async () => {
  const { code, out } = await run([]);
  expect(out).toMatch(/ 0 warnings, 0 failures\.\n$/);
  expect(code).toBe(0);
  for (const line of [
    /^ok +settings +valid for the API$/m,
    /^ok +database +(MariaDB|MySQL) [\d.]+, t_\w+ at \/.+mysql\.sock$/m,
    /^ok +database-rights +exactly those that the API needs$/m,
    /^ok +migrations +the schema is up to date$/m,
    /^ok +secret-key +SECRET_KEY fits the database$/m,
    /^ok +redis +(Redis|Valkey) [\d.]+, \/.+redis\.sock$/m,
    /^ok +redis-persistence +appendonly is yes, appendfsync is always$/m,
    /^ok +workers +1 worker reported within the last 6 s$/m,
    /^ok +queues +0 jobs waiting, 0 events pending$/m,
    /^ok +storage +wrote, read and deleted a file in \/.+\/files$/m,
    /^ok +data-dir +\/.+ is writable$/m,
  ]) {
    expect(out).toMatch(line);
  }
  expect(readdirSync(env.DATA_DIR as string, { recursive: true })).toEqual(['files']);
  expect(await redis.keys('*')).toEqual([`${PREFIX}:workers`]);
});

test('without DATABASE_URL, the servers of npm start in DATA_DIR are checked, with the account of the role', async () => {
  const { found } = await problems({ DATABASE_URL: '', REDIS_URL: '', DATA_DIR: dir });
  // These servers run, but npm start has not created its database in them.
  expect(found).toEqual([problem('database', 'failure', /^muster at \/.+mysql\.sock does not exist/)]);
});

test('all invalid settings are listed, and exit with 2', async () => {
  const { code, found } = await problems({ DATABASE_URL: 'muster', REDIS_URL: '', SECRET_KEY: '' });
  expect(code).toBe(2);
  expect(found.map(({ check }) => check)).toEqual(['settings', 'settings', 'settings']);
  expect(found.map((each) => each.found).sort()).toEqual([
    expect.stringMatching(/^DATABASE_URL: must be mysql:/),
    expect.stringMatching(/^REDIS_URL: must be redis:/),
    expect.stringMatching(/^SECRET_KEY: is required.*use --role worker$/),
  ]);
  expect((await run(['--role', 'owner'])).err).toMatch(/^--role must be api or worker, not owner\.\n/);
  expect(await run(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('Exit codes') });
});

test('servers that cannot be used: a wrong password, a wrong port, a missing database', async () => {
  const wrong = new URL(env.DATABASE_URL as string);
  wrong.password = 'not-the-password';
  expect(await problems({ DATABASE_URL: wrong.href, REDIS_URL: 'redis://:secret@127.0.0.1:9' })).toEqual({
    code: 1,
    found: [
      problem('database', 'failure', /rejects the user or password$/, /DATABASE_URL/),
      problem('redis', 'failure', /^127\.0\.0\.1:9 cannot be used \(.*ECONNREFUSED/),
    ],
  });
  wrong.href = db.url;
  wrong.pathname = '/nowhere';
  const { found } = await problems({
    DATABASE_URL: wrong.href,
    DATABASE_READ_URL: 'mysql://u:p@127.0.0.1:9/x',
  });
  expect(found).toEqual([problem('database', 'failure', /^nowhere at .* does not exist/, /npm run migrate/)]);
});

test('of several hosts, each that cannot be used is a warning, and the others are checked', async () => {
  const [one, two] = await Promise.all([1, 2].map(() => startDatabaseDoor(env.DATABASE_URL as string)));
  try {
    const [first, second] = [one, two].map((door) => new URL(door?.url as string).host) as [string, string];
    const both = one?.url.replace(first, `${first},${second}`) as string;
    expect(await problems({ DATABASE_URL: both })).toEqual({ code: 0, found: [] });
    await two?.stop();
    expect(await problems({ DATABASE_URL: both })).toEqual({
      code: 0,
      found: [problem('database', 'warning', new RegExp(`at ${second} cannot be reached`), /other hosts/)],
    });
    await db.database.raw('SET GLOBAL read_only = 1');
    expect(await problems({ DATABASE_URL: both })).toEqual({
      code: 1,
      found: [
        problem('database', 'failure', /accepts no writes$/, /wsrep_ready/),
        problem('database', 'failure', new RegExp(`at ${second} cannot be reached`), /once it can be used/),
      ],
    });
  } finally {
    await db.database.raw('SET GLOBAL read_only = 0');
    await one?.stop();
  }
});

test('an unencrypted connection is allowed on a loopback address, and reported on another one', async () => {
  const door = await startDatabaseDoor(env.DATABASE_URL as string);
  try {
    const url = new URL(door.url);
    expect((await problems({ DATABASE_URL: url.href })).found).toEqual([]);
    // This address leads to the same listener.
    url.hostname = '0.0.0.0';
    expect((await problems({ DATABASE_URL: url.href })).found).toEqual([
      problem('database-tls', 'warning', /data is sent unencrypted$/, /tls=true/),
    ]);
  } finally {
    await door.stop();
  }
});

test('the schema, the rights and SECRET_KEY are compared with what this release needs', async () => {
  const { database } = db;
  const account = "'doctor_api'@'localhost'";
  await database('knex_migrations').where({ name: '014-series' }).update({ name: '999-of-tomorrow' });
  await database.raw(`REVOKE INSERT ON ${db.name}.jobs FROM ${account}`);
  const otherKey = Buffer.from('another key with at least 32 bytes').toString('base64');
  expect(await problems({ SECRET_KEY: otherKey })).toEqual({
    code: 1,
    found: [
      problem('database-rights', 'failure', /^missing: INSERT ON jobs$/, /--api-account NAME/),
      problem('migrations', 'failure', /^missing: 014-series$/, /npm run migrate/),
      problem('secret-key', 'failure', /does not fit the database$/, /Changing SECRET_KEY/),
    ],
  });
  await database('knex_migrations').insert({ name: '014-series', batch: 1, migration_time: new Date() });
  await database.raw(`GRANT INSERT, DELETE ON ${db.name}.jobs TO ${account}`);
  await database.raw(`GRANT CREATE ON ${db.name}.* TO ${account}`);
  expect(await problems({ SECRET_KEY: otherKey, SECRET_KEY_OLD: KEY })).toEqual({
    code: 0,
    found: [
      problem('database-rights', 'warning', /^more than the API needs: CREATE ON \*, DELETE ON jobs$/),
      problem('migrations', 'warning', /newer than this release: 999-of-tomorrow$/),
      problem('secret-key', 'warning', /only SECRET_KEY_OLD fits/),
    ],
  });
  await database('knex_migrations').where({ name: '999-of-tomorrow' }).delete();
  await database.raw(`REVOKE DELETE ON ${db.name}.jobs FROM ${account}`);
  await database.raw(`REVOKE CREATE ON ${db.name}.* FROM ${account}`);
});

test("a worker's host needs no SECRET_KEY, and other rights", async () => {
  const { code, found } = await problems({ SECRET_KEY: '' }, Date.now, ['--role', 'worker']);
  expect([code, found.map(({ check }) => check)]).toEqual([1, ['database-rights']]);
  expect(found[0]?.found).toMatch(/^missing: DELETE ON jobs, INSERT ON identities, .* and \d+ more$/);
});

test('destinations that get no messages, and a worker that cannot read their URLs', async () => {
  const { database } = db;
  const states = {
    fine: { due_at: null, failures: 0 },
    gone: { due_at: null, failures: 1, stopped: 'gone' },
    down: { due_at: database.raw('UTC_TIMESTAMP(3)'), failures: 7 },
    slow: { due_at: database.raw('UTC_TIMESTAMP(3) - INTERVAL 6 MINUTE'), failures: 0 },
  };
  for (const [name, lane] of Object.entries(states)) {
    const id = randomUUID();
    await insertDestination(database, { ...SOME_DESTINATION, id, name });
    await database('lanes').where('destination_id', id).update(lane);
  }
  const found = problem(
    'destinations',
    'warning',
    /^of 4 destinations, stopped: gone; failing: down; late: slow$/,
    /Destinations in trouble/,
  );
  expect((await problems()).found).toEqual([found]);
  const ofWorker = (await problems({ SECRET_KEY: '' }, Date.now, ['--role', 'worker'])).found;
  expect(ofWorker).toContainEqual(problem('destinations', 'failure', /no SECRET_KEY/, /for the workers too/));
  await database('destinations').delete();
});

/** A destination that wants all. */

test('the mail server and the proxy of destinations', async () => {
  const mail = await MailServer.start();
  const asked: string[] = [];
  let status = 503;
  const proxy = createServer().on('connect', ({ url, headers }, socket) => {
    asked.push(`${url} ${headers['proxy-authorization']}`);
    socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  try {
    const { port } = proxy.address() as AddressInfo;
    const outbound = {
      SMTP_URL: mail.url,
      SMTP_FROM: 'muster@example.com',
      OUTBOUND_PROXY: `http://muster:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`,
    };
    expect((await problems(outbound)).found).toEqual([]);
    expect(asked).toEqual([
      `muster.invalid:443 Basic ${Buffer.from(`muster:${PASSWORD}`).toString('base64')}`,
    ]);
    expect(mail.offered).toEqual([]);
    mail.reply = (command) => (command === 'greeting' ? '554 not you' : undefined);
    status = 407;
    expect(await problems(outbound)).toEqual({
      code: 1,
      found: [
        problem(
          'mail-server',
          'failure',
          /^The mail server 127\.0\.0\.1 rejects .*: 554 not you$/,
          /SMTP_URL/,
        ),
        problem('proxy', 'failure', /responded with 407$/, /OUTBOUND_PROXY/),
      ],
    });
  } finally {
    await mail.stop();
    proxy.close();
  }
});

test('settings of the servers that can lose or delay work', async () => {
  const { database } = db;
  await database.raw('SET GLOBAL innodb_lock_wait_timeout = 50, GLOBAL innodb_flush_log_at_trx_commit = 2');
  await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
  await redis.config('SET', 'appendfsync', 'everysec');
  await redis.config('SET', 'maxmemory', '0');
  const { code, found } = await problems();
  await redis.config('SET', 'appendonly', 'no');
  const without = await problems();
  await redis.config('SET', 'appendonly', 'yes');
  await redis.config('SET', 'appendfsync', 'always');
  await redis.config('SET', 'maxmemory-policy', 'noeviction');
  const [, used] = /^used_memory:(\d+)/m.exec(await redis.info('memory')) ?? [];
  await redis.config('SET', 'maxmemory', Math.ceil(Number(used) * 1.1));
  const full = await problems();
  await redis.config('SET', 'maxmemory', '512mb');
  await database.raw('SET GLOBAL innodb_lock_wait_timeout = 5, GLOBAL innodb_flush_log_at_trx_commit = 1');
  expect(code).toBe(1);
  expect(found).toEqual([
    problem('database-durability', 'warning', /^innodb_flush_log_at_trx_commit is 2$/, /Set it to 1/),
    problem('database-lock-timeout', 'warning', /is 50 s$/, /Set it to 5/),
    problem('redis-persistence', 'warning', /appendfsync is everysec$/),
    problem('redis-eviction', 'failure', /^maxmemory-policy is allkeys-lru: /, /noeviction/),
    problem('redis-memory', 'warning', /used, maxmemory is not set$/),
  ]);
  expect(without.found).toContainEqual(problem('redis-persistence', 'failure', /^appendonly is no: /));
  expect(full.found).toContainEqual(
    problem('redis-memory', 'failure', /^[\d.]+ MB of [\d.]+ MB used$/, /rejected/),
  );
  expect((await problems({ REDIS_WAIT_REPLICAS: '1' })).found).toEqual([
    problem('redis-wait-replicas', 'failure', /^REDIS_WAIT_REPLICAS is 1, .+ has 0 replicas$/, /503/),
  ]);
});

test('clocks that differ, no worker, and a job that has waited for long', async () => {
  await redis.del(`${PREFIX}:workers`);
  const queue = new Queue(alertIntake.queues[0], { connection: redis, prefix: PREFIX });
  await queue.add(alertIntake.name, {}, { timestamp: Date.now() - 600_000 });
  const { code, found } = await problems({}, () => Date.now() + 10_000);
  await queue.obliterate();
  await queue.close();
  expect(code).toBe(1);
  expect(found).toEqual([
    problem('database-clock', 'warning', /^(9\.9|10\.\d) s behind this host's$/, /NTP/),
    problem('redis-clock', 'warning', /^(9\.9|10\.\d) s behind this host's$/, /NTP/),
    problem('workers', 'failure', /^no worker with REDIS_PREFIX \{doctor\} reported/, /REDIS_PREFIX/),
    problem('queues', 'warning', /^alert-intake: 1 job waiting, the oldest for 60\d s$/, /Add workers/),
  ]);
});

test('workers with another prefix: allowed on another database, a failure on this one', async () => {
  const other = '{other}';
  await beat(redis, other, 'its-worker');
  const { out } = await run([]);
  expect(out).toMatch(/^ok +prefixes +\{other\} in this Redis too, without a job of this database$/m);
  const job = { id: randomUUID(), type: identityExport.name, queue: identityExport.queues[0] };
  await insertJob(db.database, { ...job, apiKeyId: randomUUID(), requestId: 'r', params: {} });
  const queue = new Queue(job.queue, { connection: redis, prefix: other });
  await queue.add(job.type, {}, { jobId: job.id });
  const { code, found } = await problems();
  await queue.obliterate();
  await queue.close();
  await redis.del(`${other}:workers`);
  expect(code).toBe(1);
  expect(found).toEqual([
    problem('prefixes', 'failure', /^\{doctor\} and \{other\} work on the same database: /),
  ]);
});

test('a replica: used while a worker writes its time, otherwise reported', async () => {
  const read = { DATABASE_READ_URL: env.DATABASE_URL as string };
  const more = { ...read, DATABASE_READ_MAX_LAG_S: '5' };
  const check = 'database-replica';
  expect((await problems(read)).found).toEqual([
    problem(check, 'warning', /not used, because the database records no GTIDs$/, /log_bin/),
  ]);
  expect((await problems(more)).found).toEqual([
    problem(check, 'warning', /its lag is unknown, so it is not used$/),
  ]);
  await beatForReplicas(db.database);
  expect((await problems(more)).found).toEqual([]);
  await db.database.raw('UPDATE replica_heartbeat SET beat_at = beat_at - INTERVAL 1 MINUTE');
  expect((await problems(more)).found).toEqual([problem(check, 'warning', /, 60\.\d s behind$/)]);
});

test('folders that cannot be written, and an S3 store that is full', async () => {
  const file = join(dir, 'a-file');
  writeFileSync(file, '');
  expect(await problems({ DATA_DIR: join(file, 'data') })).toEqual({
    code: 1,
    found: [
      problem('audit-log', 'warning', /the heads in the file store cannot be read \(.+\)$/, /audit/),
      problem('storage', 'failure', /a-file\/data\/files cannot be used \(.+\)$/, /STORAGE_URL/),
      problem('data-dir', 'failure', /a-file\/data cannot be written \(.+\)$/, /DATA_DIR/),
    ],
  });
  const fresh = join(dir, 'fresh');
  expect((await problems({ DATA_DIR: fresh })).found).toEqual([]);
  expect(existsSync(fresh)).toBe(false);
  const s3 = await startS3();
  try {
    expect((await problems({ STORAGE_URL: s3.url('muster') })).found).toEqual([]);
    s3.server.behavior = 'is full';
    expect((await problems({ STORAGE_URL: s3.url('muster') })).found).toEqual([
      problem('storage', 'failure', /^s3:\/\/muster\/muster at 127\..* \(the file store is full\)$/),
    ]);
  } finally {
    await s3.stop();
  }
});

test('frozen servers end the program after a few seconds, and the rest is checked', async () => {
  const { mariadb, redis: frozen } = servers.processes;
  for (const { pid } of [mariadb, frozen]) process.kill(pid, 'SIGSTOP');
  try {
    const startedAt = performance.now();
    const child = spawn(process.execPath, ['dist/scripts/doctor.js'], {
      env: { ...process.env, NODE_OPTIONS: '', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(code).toBe(1);
    expect(out).toMatch(/^FAILURE +database +t_\w+ at \/.* cannot be reached \(.+\)\. /m);
    expect(out).toMatch(/^FAILURE +redis +\/.*redis\.sock cannot be used \(.+\)\. /m);
    expect(out).toMatch(/^ok +storage +wrote, read and deleted a file/m);
    expect(performance.now() - startedAt).toBeLessThan(40_000);
  } finally {
    for (const { pid } of [mariadb, frozen]) process.kill(pid, 'SIGCONT');
  }
});
