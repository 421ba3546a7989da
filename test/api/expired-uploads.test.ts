import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type Koa from 'koa';
import { tooSlow } from '../../api/errors.js';
import { receiveRecords } from '../../api/receive-records.js';
import { receiveUpload } from '../../api/receive-upload.js';
import { openFileStore } from '../../db/files/index.js';
import { until } from '../support/until.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-expired-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const stored = () => (readdirSync(folder).includes('uploads') ? readdirSync(join(folder, 'uploads')) : []);

/** A request that sends the beginning of a body, then nothing, and whose connection stays open. */
function stalledRequest(type: string, beginning: string) {
  const expiry = new AbortController();
  const req = Object.assign(new PassThrough(), {
    headers: { 'content-type': type, 'content-length': '9000' },
  });
  req.write(beginning);
  const ctx = { req, res: {}, length: 9000, state: { expired: expiry.signal }, get: () => '' };
  return { ctx: ctx as unknown as Koa.Context, expire: () => expiry.abort(tooSlow()) };
}

const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nemail,';

test.each([
  [
    'a CSV',
    stalledRequest('multipart/form-data; boundary=b', part),
    (ctx: Koa.Context) => receiveUpload(ctx, openFileStore(pathToFileURL(folder).href), 1e6),
  ],
  [
    'JSON',
    stalledRequest('application/json', '[{"email":'),
    (ctx: Koa.Context) =>
      receiveRecords(ctx, openFileStore(pathToFileURL(folder).href), 'assert', 'a record'),
  ],
])(
  '%s that did not arrive in time is removed while its connection is still open',
  async (_, request, receive) => {
    const received = receive(request.ctx).catch((error) => error);
    await until('some of it is stored', () => stored().length === 1);
    request.expire();
    expect(await received).toMatchObject({ status: 408 });
    await until('it is removed', () => stored().length === 0);
  },
);
