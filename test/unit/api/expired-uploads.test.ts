import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type Koa from 'koa';
import { receiveFile } from '../../../api/body/receive-file.js';
import { receiveRecords } from '../../../api/body/receive-records.js';
import { requestTimeout } from '../../../api/http/errors.js';
import { openFileStore } from '../../../db/files/index.js';
import { IdentityJsonReader } from '../../../workers/identities/record/identity-json.js';
import { until } from '../../support/until.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-expired-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const stored = () => (readdirSync(folder).includes('uploads') ? readdirSync(join(folder, 'uploads')) : []);

/** A request that sends the beginning of a body, then nothing, on a connection that stays open. */
function stalledRequest(type: string, beginning: string) {
  const expiry = new AbortController();
  const req = Object.assign(new PassThrough(), {
    headers: { 'content-type': type, 'content-length': '9000' },
    headersDistinct: { 'content-type': [type], 'content-length': ['9000'] },
  });
  req.write(beginning);
  const request = { type: type.split(';')[0] };
  const ctx = { req, res: {}, request, state: { expired: expiry.signal } };
  return { ctx: ctx as unknown as Koa.Context, expire: () => expiry.abort(requestTimeout()) };
}

type Receive = (ctx: Koa.Context) => Promise<unknown>;
const receiveCsv: Receive = (ctx) =>
  receiveFile(ctx, openFileStore(pathToFileURL(folder).href), { limit: 1e6, charset: undefined });
const receiveJson: Receive = (ctx) =>
  receiveRecords(ctx, openFileStore(pathToFileURL(folder).href), {
    reader: new IdentityJsonReader('assert', false),
    shape: 'a record',
    limit: 1e6,
  });

const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nemail,';

test.each([
  ['a CSV', stalledRequest('multipart/form-data; boundary=b', part), receiveCsv],
  ['JSON', stalledRequest('application/json', '[{"email":'), receiveJson],
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

test.each([
  ['a CSV', stalledRequest('multipart/form-data; boundary=b', part), receiveCsv],
  ['JSON', stalledRequest('application/json', '[{"email":'), receiveJson],
])(
  '%s that times out before a handler reads it does not count as an empty body',
  async (_, request, receive) => {
    const { req } = request.ctx;
    request.expire();
    // After every 408, further data is discarded.
    (req as unknown as PassThrough).end();
    await once(req.resume(), 'end');
    await expect(receive(request.ctx)).rejects.toMatchObject({ status: 408 });
    expect(stored()).toEqual([]);
  },
);
