import { existsSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { doUpkeep } from '../../../workers/jobs/upkeep.js';
import type { WorkerServices } from '../../../workers/run/services.js';
import { ageOrphans } from '../../support/api/age-orphans.js';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { theRow } from '../../support/the-row.js';

let stack: Stack;
let client: Client;
let services: WorkerServices;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
  services = stack.worker as WorkerServices;
});
afterAll(() => stack.stop());

const DAY = 24 * 60 * 60 * 1_000;
const ago = (ms: number): Date => new Date(Date.now() - ms);
const csv = 'email,integrationId,identity\nann@example.com,1,ann\nbad,1,x\n';
const path = (key: string | null): string => join(stack.folder, 'files', key ?? 'none');
const job = (id: string) => theRow(stack.database('jobs').where({ id }).first());

test('the upload of a finished job is removed, its rejected rows when they expire, its row after 90 days', async () => {
  const { body } = await client.upload(csv, '?onError=continue');
  const before = await job(body.jobId);
  await doUpkeep(services);
  expect(existsSync(path(before.source_key))).toBe(false);
  expect((await client.get(body.links.rejected)).status).toBe(200);
  expect(await stack.database('job_steps').where({ job_id: body.jobId })).toEqual([]);

  await stack
    .database('jobs')
    .where({ id: body.jobId })
    .update({ expires_at: ago(1_000) });
  await doUpkeep(services);
  const gone = await client.get(body.links.rejected);
  expect([gone.status, gone.body.code]).toEqual([410, 'result_expired']);
  expect((await client.get(`/v2/jobs/${body.jobId}`)).status).toBe(200);

  await stack
    .database('jobs')
    .where({ id: body.jobId })
    .update({ created_at: ago(91 * DAY), finished_at: ago(91 * DAY) });
  await doUpkeep(services);
  expect((await client.get(`/v2/jobs/${body.jobId}`)).status).toBe(404);
});

test('the upload of a failed job is kept a week for a retry, then the retry is 410', async () => {
  const { body } = await client.upload(csv);
  expect(body.code).toBe('invalid_rows');
  await doUpkeep(services);
  const { source_key } = await job(body.jobId);
  expect(existsSync(path(source_key))).toBe(true);
  await stack
    .database('jobs')
    .where({ id: body.jobId })
    .update({ finished_at: ago(8 * DAY) });
  await doUpkeep(services);
  expect(existsSync(path(source_key))).toBe(false);
  const retry = await client.send('POST', `/v2/jobs/${body.jobId}/retry`);
  expect([retry.status, retry.body.code]).toEqual([410, 'source_expired']);
});

/** Stores a job that is in no queue. Returns its id. */
async function storeLostJob(sourceKey: string): Promise<string> {
  const id = uuidv7();
  const params = {
    version: 1,
    format: 'csv',
    action: 'assert',
    onError: 'abort',
    dryRun: false,
    bytes: 60,
    maxBytes: 1e6,
    maxRows: 1e6,
  };
  await stack.database('jobs').insert({
    id,
    type: 'identity-import',
    queue: 'identity-import',
    state: 'queued',
    api_key_id: uuidv7(),
    request_id: 'lost',
    acceptance: 5,
    params: JSON.stringify(params),
    source_key: sourceKey,
    created_at: ago(60_000),
  });
  return id;
}

test('a job that its queue lost is enqueued again and completed', async () => {
  const key = `uploads/${uuidv7()}`;
  await stack.files.write(
    key,
    Readable.from([Buffer.from('email,integrationId,identity\nlost@example.com,2,lost\n')]),
  );
  const id = await storeLostJob(key);
  await doUpkeep(services);
  const ended = await client.jobEnd(id);
  expect(ended.body.data).toMatchObject({ state: 'completed', counts: { created: 1 } });
});

test('a tombstone is deleted only when no earlier upload can need it', async () => {
  const record = { email: 'tomb@example.com', integrationId: 3, identity: 'tomb' };
  await client.json('PATCH', '/v2/developers/identities', [record]);
  await client.json('DELETE', '/v2/developers/identities', [{ integrationId: 3, identity: 'tomb' }]);
  const tombstone = () => stack.database('identities').where({ identity: 'tomb' }).first();
  await doUpkeep(services);
  expect(await tombstone()).toMatchObject({ email: null });

  // Removed long ago, and again just now: an upload of this moment may have its number and no row yet.
  const longAgo = ago(2 * 60 * 60 * 1_000);
  const stored = stack.database('identities').where({ identity: 'tomb' });
  await stored.clone().update({ updated_at: longAgo });
  await doUpkeep(services);
  expect(await tombstone()).toMatchObject({ email: null });

  const asserted_by = longAgo.getTime() * 1_000;
  await stored.clone().update({ asserted_by });
  const failed = { state: 'failed' as const, source_key: 'uploads/x', finished_at: new Date() };
  await stack
    .database('jobs')
    .where({ type: 'identity-import' })
    .orderBy('id')
    .limit(1)
    .update({ ...failed, acceptance: asserted_by - 1 });
  await doUpkeep(services);
  expect(await tombstone()).toMatchObject({ email: null });

  await stack.database('jobs').where({ source_key: 'uploads/x' }).update({ state: 'canceled' });
  await doUpkeep(services);
  // The job can still be reverted. Once its changes have expired, nobody needs the tombstone.
  expect(await tombstone()).toMatchObject({ email: null });
  await stack
    .database('jobs')
    .whereNotNull('changes_bytes')
    .update({ expires_at: ago(1_000) });
  await doUpkeep(services);
  expect(await tombstone()).toBeUndefined();
});

test('files that no job refers to are removed a day after they were found, an hour after the last pass', async () => {
  const { redis, settings } = services;
  const place = `${settings.redisPrefix}:orphaned-files`;
  const [old, young] = [`uploads/${uuidv7()}`, `uploads/${uuidv7()}`];
  const partial = `${old}.${uuidv7()}.partial`;
  const write = (key: string) => stack.files.write(key, Readable.from([Buffer.from('x')]));
  for (const key of [old, partial]) await write(key);
  await redis.del(place);
  await doUpkeep(services);
  await ageOrphans(services);
  // The clock of its host is wrong.
  await write(young);
  utimesSync(path(young), ago(500 * DAY), ago(500 * DAY));
  await redis.set(place, 'done');
  await doUpkeep(services);
  expect(existsSync(path(old))).toBe(true);
  await redis.del(place);
  await doUpkeep(services);
  expect(await redis.get(place)).toBe('done');
  expect(await redis.ttl(place)).toBeGreaterThan(3_500);
  expect([old, young, partial].map((key) => existsSync(path(key)))).toEqual([false, true, false]);
});

test('an upload and its ledger are removed together, or neither is', async () => {
  const { body } = await client.upload(csv, '?onError=continue');
  const before = await job(body.jobId);
  await stack.database.raw(
    "CREATE TRIGGER reject BEFORE DELETE ON job_steps FOR EACH ROW SIGNAL SQLSTATE '45000'",
  );
  await doUpkeep(services);
  expect((await job(body.jobId)).source_key).toBe(before.source_key);
  expect(existsSync(path(before.source_key))).toBe(true);
  await stack.database.raw('DROP TRIGGER reject');
  await doUpkeep(services);
  expect((await job(body.jobId)).source_key).toBeNull();
  expect(existsSync(path(before.source_key))).toBe(false);
});

test('the record of an Idempotency-Key is kept while its request runs, and for a day after it', async () => {
  const record = { 'idempotency-key': 'long' };
  await client.json('PATCH', '/v2/developers/identities', [{}], record);
  const records = stack.database('idempotency_records');
  const made = { created_at: ago(2 * DAY) };
  for (const [lease_until, left] of [
    [ago(-60_000), 1],
    [ago(DAY / 2), 1],
    [ago(DAY + 60_000), 0],
  ] as const) {
    await records.clone().update({ ...made, lease_until });
    await doUpkeep(services);
    expect(await records.clone().select('path')).toHaveLength(left);
  }
});

test('a failed task does not stop the others', async () => {
  await stack.database.raw('RENAME TABLE idempotency_records TO records_away');
  const { body } = await client.upload(csv, '?onError=continue');
  const { source_key } = await job(body.jobId);
  await doUpkeep(services);
  await stack.database.raw('RENAME TABLE records_away TO idempotency_records');
  expect(existsSync(path(source_key))).toBe(false);
  expect(stack.lines.some((line) => line.includes('delete-old-idempotency-records'))).toBe(true);
});

test('a job whose upload is gone fails, and says to upload it again', async () => {
  const id = await storeLostJob(`uploads/${uuidv7()}`);
  await doUpkeep(services);
  const ended = await client.jobEnd(id);
  expect(ended.body.data).toMatchObject({ state: 'failed', error: { code: 'source_expired' } });
});
