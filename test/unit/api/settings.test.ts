import { expect, test } from '@jest/globals';
import { readApiSettings } from '../../../api/settings.js';

const NEEDED = {
  DATABASE_URL: 'mysql://a:b@localhost/c',
  REDIS_URL: 'redis://localhost',
  SECRET_KEY: 'dGhpcyBpcyBhIHNlY3JldCBrZXkgb2YgdGhlIHRlc3Rz',
};

test('an empty variable counts as unset: it opens no port, and no port to every host', () => {
  const { metricsAddress, host, port } = readApiSettings({ ...NEEDED, METRICS_PORT: '', HOST: '', PORT: '' });
  expect([metricsAddress, host, port]).toEqual([null, '127.0.0.1', 3000]);
  const shown = readApiSettings({ ...NEEDED, METRICS_PORT: '9464', METRICS_HOST: '' });
  expect(shown.metricsAddress).toEqual({ host: '127.0.0.1', port: 9464 });
  expect(() => readApiSettings({ ...NEEDED, SECRET_KEY: '' })).toThrow(/SECRET_KEY: is required/);
});

test('metrics cannot use the port of the API', () => {
  const read = (PORT: string, METRICS_PORT: string) => readApiSettings({ ...NEEDED, PORT, METRICS_PORT });
  expect(() => read('3000', '3000')).toThrow(/METRICS_PORT: must differ from PORT/);
  expect(read('0', '0').metricsAddress?.port).toBe(0);
});

test('the port for metrics must be a valid port', () => {
  for (const METRICS_PORT of ['-1', '65536', '9464x', '1.5']) {
    expect(() => readApiSettings({ ...NEEDED, METRICS_PORT })).toThrow(/METRICS_PORT: /);
  }
});

test('rejects a bucket without a prefix at start, because others may store files in it', () => {
  const read = (STORAGE_URL: string) => readApiSettings({ ...NEEDED, STORAGE_URL });
  expect(() => read('s3://backups')).toThrow(
    /STORAGE_URL: must name a prefix in the bucket, such as s3:\/\/backups\/muster/,
  );
  expect(read('s3://backups/muster').storageUrl).toBe('s3://backups/muster');
});

test('jobs wait for one replica of Redis by default if Sentinels or a Cluster may fail over', () => {
  const read = (REDIS_URL: string, REDIS_WAIT_REPLICAS = '') =>
    readApiSettings({ ...NEEDED, REDIS_URL, REDIS_WAIT_REPLICAS }).redisWaitReplicas;
  expect(read('rediss://localhost')).toBe(0);
  expect(read('unix:///run/a,b.sock')).toBe(0);
  expect(read('redis+sentinel://one:26379,two:26379/main')).toBe(1);
  expect(read('redis://one:6379,redis://two:6379')).toBe(1);
  expect(read('redis://one:6379,redis://two:6379', '0')).toBe(0);
  expect(read('redis://localhost', '5')).toBe(5);
  expect(() => read('redis://localhost', '6')).toThrow(/REDIS_WAIT_REPLICAS: must be an integer from 0 to 5/);
});

test('rejects an invalid entry of OUTBOUND_ALLOW at start', () => {
  const read = (OUTBOUND_ALLOW: string) => readApiSettings({ ...NEEDED, OUTBOUND_ALLOW }).outboundAllow;
  expect(read('').isEmpty).toBe(true);
  expect(read('mattermost.corp.example:8065, 10.20.0.0/16').permits('10.20.0.1', 80)).toBe(true);
  expect(() => read('*.corp.example')).toThrow(
    /OUTBOUND_ALLOW: has an invalid entry, \*\.corp\.example: must be host, host:port/,
  );
});

test('a proxy and a mail server are checked at start, without showing their passwords', () => {
  const read = (env: object) => readApiSettings({ ...NEEDED, ...env });
  const SMTP_URL = 'smtp://muster:secret@mail.example.com';
  const from = { name: 'Muster', address: 'muster@example.com' };
  expect(read({ SMTP_URL, SMTP_FROM: 'Muster <muster@example.com>' }).smtp).toMatchObject({ from });
  expect(read({}).smtp).toBeNull();
  expect(() => read({ SMTP_URL })).toThrow(/SMTP_FROM: is required with SMTP_URL/);
  expect(() => read({ SMTP_URL, SMTP_FROM: 'a@b\r\nBcc: c' })).toThrow(/SMTP_FROM: must be/);
  for (const env of [
    { SMTP_URL: 'imap://muster:secret@mail', SMTP_FROM: 'a@b' },
    { OUTBOUND_PROXY: 'socks5://u:secret@p' },
  ])
    expect(() => read(env)).toThrow(/^(?!.*secret)/s);
  expect(read({ OUTBOUND_PROXY: 'http://proxy:3128' }).outboundProxy?.port).toBe('3128');
  expect(() => read({ OUTBOUND_PROXY: 'http://proxy/path' })).toThrow(/OUTBOUND_PROXY: must be/);
});

test('the intake has 16 shards on a Cluster and one elsewhere, unless INTAKE_SHARDS is set', () => {
  const read = (REDIS_URL: string, INTAKE_SHARDS = '') =>
    readApiSettings({ ...NEEDED, REDIS_URL, INTAKE_SHARDS }).intakeShards;
  expect(read('redis://one:6379,redis://two:6379')).toBe(16);
  expect(read('redis://one:6379,redis://two:6379', '1')).toBe(1);
  expect(read('redis+sentinel://one:26379,two:26379/name')).toBe(1);
  expect(read('redis://localhost')).toBe(1);
  expect(read('redis://localhost', '64')).toBe(64);
  for (const wrong of ['0', '65', '1.5'])
    expect(() => read('redis://localhost', wrong)).toThrow(/INTAKE_SHARDS: must be an integer from 1 to 64/);
});
