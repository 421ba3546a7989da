import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FetchContext } from '../../../../workers/feeds/sources/source.js';
import { AllowList } from '../../../../workers/outbound/allow-list.js';
import { INTERNET } from '../../../../workers/outbound/network.js';
import { OutboundClient } from '../../../../workers/outbound/outbound-client.js';
import { failureOf, fetchBy, readBy } from '../../../support/feeds/fetch-source.js';
import {
  keyPair,
  type OpensshServer,
  startOpenssh,
  whyNoSshd,
} from '../../../support/feeds/openssh-server.js';
import { testUnless } from '../../../support/test-unless.js';

const CSV = 'email\nada@example.com\n';
const onOpenssh = testUnless(whyNoSshd());

let server: OpensshServer;
let outbound: OutboundClient;
beforeAll(async () => {
  if (whyNoSshd() !== null) return;
  server = await startOpenssh();
  outbound = new OutboundClient(INTERNET, AllowList.parse(`127.0.0.1:${server.port}`));
  mkdirSync(join(server.home, 'out'));
});
afterAll(() => server?.stop());

const write = (name: string, text = CSV, time = 1_000) => {
  writeFileSync(join(server.home, name), text);
  utimesSync(join(server.home, name), time, time);
};
const source = (path: string, more: object = {}) => ({
  kind: 'sftp',
  host: '127.0.0.1',
  port: server.port,
  user: server.user,
  hostKey: server.hostKey,
  privateKey: server.privateKey,
  path,
  ...more,
});
const read = (path: string, changes: Partial<FetchContext> = {}) =>
  readBy(source(path), { outbound, ...changes });
const fail = (path: string, more: object = {}, changes: Partial<FetchContext> = {}) =>
  failureOf(source(path, more), { outbound, ...changes });

onOpenssh('returns a file with its name and time, and knows it again', async () => {
  write('out/people.csv');
  const file = await read('out/people.csv');
  expect(file).toMatchObject({ name: 'people.csv', version: `people.csv ${CSV.length} 1000`, text: CSV });
  expect(file.modifiedAt).toEqual(new Date(1_000_000));
  expect(await fetchBy(source('out/people.csv'), { outbound, known: file.version })).toBe('unchanged');
  write('out/people.csv', CSV, 1_001);
  expect((await read(join(server.home, 'out/people.csv'), { known: file.version })).text).toBe(CSV);
});

onOpenssh('returns each byte of a large file, and of an empty one', async () => {
  const text = Array.from({ length: 90_000 }, (_, row) => `${row}\n`).join('');
  write('large.csv', text);
  expect((await read('large.csv')).text === text).toBe(true);
  write('empty.csv', '');
  expect((await read('empty.csv')).text).toBe('');
});

onOpenssh('takes the newest of the matching files', async () => {
  write('out/hr-1.csv', 'newest', 3_000);
  write('out/hr-2.csv', 'old', 2_000);
  write('out/hr-3.txt', 'other', 4_000);
  mkdirSync(join(server.home, 'out/hr-4.csv'));
  expect(await read('out/hr-*.csv')).toMatchObject({ name: 'hr-1.csv', text: 'newest' });
  expect(await fail('out/none-*.csv')).toMatchObject({ code: 'not_found' });
});

onOpenssh('sends nothing to a server with another key', async () => {
  const { fingerprint } = keyPair();
  const error = await fail('out/people.csv', { hostKey: fingerprint, password: 'p4ss' });
  expect(error).toMatchObject({ code: 'host_key', isTemporary: false });
  expect(error.message).toMatch(
    `127.0.0.1 has the key ssh-ed25519 ${server.hostKey}, and not ${fingerprint}`,
  );
  expect(error.message).not.toMatch('p4ss');
});

onOpenssh('says what is wrong with the login', async () => {
  expect(await fail('out/people.csv', { privateKey: keyPair().private })).toMatchObject({ code: 'auth' });
  expect(await fail('out/people.csv', { user: 'absent' })).toMatchObject({ code: 'auth' });
  expect(await fail('out/people.csv', { privateKey: null, password: 'p4ss' })).toMatchObject({
    code: 'auth',
  });
  const cut = await fail('out/people.csv', { privateKey: server.privateKey.slice(0, 200) });
  expect(cut).toMatchObject({ code: 'auth', message: expect.stringContaining('passphrase') });
  expect(await fail('out/people.csv', { privateKey: keyPair('secret').private })).toMatchObject({
    code: 'auth',
    message: expect.stringContaining('passphrase'),
  });
});

onOpenssh('says what is wrong with the path', async () => {
  expect(await fail('out/absent.csv')).toMatchObject({ code: 'not_found' });
  expect(await fail('absent/*.csv')).toMatchObject({ code: 'not_found' });
  expect(await fail('out')).toMatchObject({ code: 'not_allowed' });
  execFileSync('mkfifo', [join(server.home, 'fifo.csv')]);
  expect(await fail('fifo.csv')).toMatchObject({ code: 'not_allowed' });
  symlinkSync('loop.csv', join(server.home, 'loop.csv'));
  expect((await fail('loop.csv')).code).toMatch(/not_found|reset/);
  write('closed.csv');
  execFileSync('chmod', ['000', join(server.home, 'closed.csv')]);
  expect(await fail('closed.csv')).toMatchObject({ code: 'auth', isTemporary: false });
});

onOpenssh('rejects what is too large, also if it grows', async () => {
  write('people.csv', 'x'.repeat(1_001));
  expect(await fail('people.csv', {}, { maxBytes: 1_000 })).toMatchObject({ code: 'too_large' });
});

onOpenssh.each(['grows', 'is rewritten'])('a file that %s while it is read is an error', async (how) => {
  write('people.csv', 'x'.repeat(900_000));
  const file = await fetchBy(source('people.csv'), { outbound });
  if (file === 'unchanged') throw new Error('unchanged');
  let isFirst = true;
  const reading = (async () => {
    for await (const _ of file.content) {
      if (isFirst)
        write('people.csv', (how === 'grows' ? 'x' : 'y').repeat(how === 'grows' ? 900_001 : 900_000), 2_000);
      isFirst = false;
    }
  })();
  await expect(reading).rejects.toMatchObject({ code: 'changed', isTemporary: true });
});

onOpenssh('the port and the address need an entry of the operator', async () => {
  const closed = new OutboundClient(INTERNET);
  expect(await fail('a.csv', {}, { outbound: closed })).toMatchObject({ code: 'blocked_address' });
  expect(await fail('a.csv', { port: 22 }, { outbound: closed })).toMatchObject({ code: 'blocked_address' });
  expect(await fail('a.csv', { host: '169.254.169.254', port: 22 }, { outbound: closed })).toMatchObject({
    code: 'blocked_address',
  });
});

onOpenssh('a stop ends it in the file', async () => {
  write('people.csv', 'x'.repeat(900_000));
  const stop = new AbortController();
  const file = await fetchBy(source('people.csv'), { outbound, stopped: stop.signal });
  if (file === 'unchanged') throw new Error('unchanged');
  const reason = new Error('stopped');
  stop.abort(reason);
  await expect(file.content.toArray()).rejects.toBe(reason);
});

test('the settings want a fingerprint, and a password or a key', async () => {
  const some = { kind: 'sftp', host: 'h', user: 'u', path: 'a.csv', password: 'p' };
  await expect(fetchBy(some)).rejects.toThrow(/hostKey/);
  await expect(fetchBy({ ...some, hostKey: 'MD5:00' })).rejects.toThrow(/fingerprint/);
  await expect(fetchBy({ ...some, hostKey: keyPair().fingerprint, password: null })).rejects.toThrow(
    /privateKey/,
  );
});
