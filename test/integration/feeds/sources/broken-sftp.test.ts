import { afterEach, expect, test } from '@jest/globals';
import type { FetchContext } from '../../../../workers/feeds/sources/source.js';
import { AllowList } from '../../../../workers/outbound/allow-list.js';
import { INTERNET } from '../../../../workers/outbound/network.js';
import { OutboundClient } from '../../../../workers/outbound/outbound-client.js';
import { startBrokenSftp } from '../../../support/feeds/broken-sftp.js';
import { failureOf, fetchBy, readBy } from '../../../support/feeds/fetch-source.js';
import { keyPair } from '../../../support/feeds/openssh-server.js';

const CONTENT = Buffer.alloc(600_000, 'x');
const WHOLE = { size: CONTENT.length, content: CONTENT };

let server: Awaited<ReturnType<typeof startBrokenSftp>>;
afterEach(() => server.stop());

const source = (more: object = {}) => ({
  kind: 'sftp',
  host: '127.0.0.1',
  port: server.port,
  user: 'feeds',
  hostKey: server.hostKey,
  password: 'p4ss',
  path: 'people.csv',
  ...more,
});
const context = (changes: Partial<FetchContext> = {}) => ({
  outbound: new OutboundClient(INTERNET, AllowList.parse(`127.0.0.1:${server.port}`)),
  ...changes,
});
const fail = (more: object = {}, changes: Partial<FetchContext> = {}) =>
  failureOf(source(more), context(changes));

test.each(['password', 'keyboard-interactive'] as const)('logs in by %s', async (method) => {
  server = await startBrokenSftp([method]);
  server.behave(WHOLE);
  expect((await readBy(source(), context())).text.length).toBe(CONTENT.length);
  const error = await fail({ password: 'wr0ng' });
  expect(error).toMatchObject({ code: 'auth', isTemporary: false });
  expect(error.message).not.toMatch('wr0ng');
});

test('a server with another key is not even asked how to log in', async () => {
  server = await startBrokenSftp();
  expect(await fail({ hostKey: keyPair().fingerprint })).toMatchObject({ code: 'host_key' });
  expect(server.attempts).toEqual([]);
});

test('a file that ends early is never a file', async () => {
  server = await startBrokenSftp();
  server.behave({ size: CONTENT.length + 1, content: CONTENT });
  expect(await fail()).toMatchObject({ code: 'incomplete', isTemporary: true });
  server.behave({
    ...WHOLE,
    read: (position, connection) => {
      if (position > 300_000) connection.end();
      return position <= 300_000;
    },
  });
  expect(await fail()).toMatchObject({ code: 'incomplete', isTemporary: true });
});

test('a file without an end is not read beyond the limit', async () => {
  server = await startBrokenSftp();
  server.behave({ size: 10, content: CONTENT });
  expect(await fail({}, { maxBytes: 100_000 })).toMatchObject({ code: 'too_large' });
  server.behave(WHOLE);
  expect(await fail({}, { maxBytes: 100_000 })).toMatchObject({ code: 'too_large' });
});

test('has deadlines for the login and for pauses, and ends at a stop', async () => {
  server = await startBrokenSftp();
  server.behave({ ...WHOLE, read: (position) => position < 300_000 });
  expect(await fail({}, { deadlines: { stallMs: 300 } })).toMatchObject({
    code: 'timeout',
    isTemporary: true,
  });
  expect(await fail({}, { deadlines: { responseMs: 1 } })).toMatchObject({ code: 'timeout' });
  const stop = new AbortController();
  const reason = new Error('stopped');
  const file = await fetchBy(source(), context({ stopped: stop.signal }));
  if (file === 'unchanged') throw new Error('unchanged');
  setTimeout(() => stop.abort(reason), 100);
  await expect(file.content.toArray()).rejects.toBe(reason);
  await expect(fetchBy(source(), context({ stopped: AbortSignal.abort(reason) }))).rejects.toBe(reason);
});
