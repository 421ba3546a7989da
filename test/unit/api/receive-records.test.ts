import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import type Koa from 'koa';
import { JSON_MAX_BYTES, receiveRecords } from '../../../api/body/receive-records.js';
import type { FileStore } from '../../../db/files/index.js';
import { IdentityJsonReader } from '../../../workers/identities/record/identity-json.js';

const KIB = 1024;

/** A store that keeps nothing. */
const nowhere = {
  write: async (_key, source) => {
    let bytes = 0;
    for await (const chunk of source) bytes += chunk.length;
    return { bytes };
  },
} as FileStore;

/** Receives the given number of uploads at once. Returns their errors and the number of event-loop turns. */
async function receive(body: Buffer, uploads: number) {
  let turns = 0;
  let counting = true;
  const count = () => {
    turns++;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  const received = await Promise.all(
    Array.from({ length: uploads }, () => {
      const req = Object.assign(new PassThrough({ highWaterMark: body.length }), {
        headers: {},
        headersDistinct: {},
        complete: true,
      });
      req.end(body);
      const ctx = { req, state: {} } as unknown as Koa.Context;
      const reader = new IdentityJsonReader('assert', false);
      return receiveRecords(ctx, nowhere, { reader, shape: 'records', limit: JSON_MAX_BYTES });
    }),
  );
  counting = false;
  return { turns, errors: received.map(({ error }) => error?.details) };
}

test('10,000 invalid records that arrive in one piece give other requests a turn every 16 KiB, however many uploads there are', async () => {
  const body = Buffer.from(
    JSON.stringify(Array(10_000).fill({ email: 'x', integrationId: '7', identity: 4 })),
  );
  const { turns, errors } = await receive(body, 5);
  expect(errors).toMatchObject(Array(5).fill({ errorCount: 30_000 }));
  expect(turns).toBeGreaterThanOrEqual((5 * body.length) / (16 * KIB));
});
