import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { findJob } from '../../../db/jobs/jobs.js';
import { JobCanceled } from '../../../workers/run/errors.js';
import type { JobHandler } from '../../../workers/run/handler.js';
import { recorded } from '../../../workers/run/run-job.js';
import type { WorkerServices } from '../../../workers/run/services.js';
import { Client } from '../../support/api/client.js';
import { recordedJob, runJob } from '../../support/api/run-job.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { theRow } from '../../support/the-row.js';
import { until } from '../../support/until.js';

let stack: Stack;
let idle: Stack;
let client: Client;
let idleClient: Client;
beforeAll(async () => {
  [stack, idle] = await Promise.all([startStack(), startStack({ worker: false })]);
  [client, idleClient] = await Promise.all([Client.of(stack), Client.of(idle)]);
});
afterAll(() => Promise.all([stack.stop(), idle.stop()]));
beforeEach(() => stack.database('identities').delete());

const path = '/v2/developers/identities';
const header = 'email,integrationId,identity\n';
const later = { prefer: 'respond-async' };
const nowhere = '00000000-0000-7000-8000-000000000000';
const post = (of: Client, id: string, action: string) => of.send('POST', `/v2/jobs/${id}/${action}`);

/** Returns a job that failed because its upload has an invalid row. */
async function failed(): Promise<string> {
  return (await client.upload(`${header}nobody,1,a\n`)).body.jobId;
}

async function queued(): Promise<string> {
  return (await idleClient.upload(`${header}ann@example.com,1,a\n`, '', later)).body.jobId;
}

test('a queued job that is canceled ends at once, and none of its rows are ever written', async () => {
  const id = await queued();
  const response = await post(idleClient, id, 'cancel');
  expect(response.status).toBe(200);
  expect(response.body.data).toMatchObject({ id, state: 'canceled', counts: null });
  expect(response.body.data.finishedAt).not.toBeNull();
  const again = await post(idleClient, id, 'cancel');
  expect([again.status, again.body.data.state]).toEqual([200, 'canceled']);
});

test('a request that waits for a job learns that it was canceled', async () => {
  const waiting = idleClient.upload(`${header}ann@example.com,1,a\n`, '', { prefer: 'wait=20' });
  await until(
    'the job is there',
    async () => (await idle.database('jobs').where({ state: 'queued' })).length > 0,
  );
  const job = await theRow(idle.database('jobs').where({ state: 'queued' }));
  await post(idleClient, job.id, 'cancel');
  const response = await waiting;
  expect([response.status, response.body.code, response.body.jobId]).toEqual([409, 'job_canceled', job.id]);
});

test.each(['completed', 'completed_with_errors'] as const)(
  'a cancel that was accepted ends the job canceled, however late it comes: %s',
  async (state) => {
    const id = await queued();
    const resultKey = `results/${id}.12345678`;
    let accepted = 0;
    const handler: JobHandler = async (job) => {
      await idle.files.write(resultKey, Readable.from([Buffer.from('x')]));
      accepted = (await post(idleClient, job.id, 'cancel')).status;
      return { state, counts: { total: 1 }, resultKey };
    };
    const services = { ...(stack.worker as WorkerServices), database: idle.database, files: idle.files };
    expect(await runJob(recorded(handler), recordedJob(id), services)).toBe('canceled');
    expect(accepted).toBe(202);
    const { body } = await idleClient.get(`/v2/jobs/${id}`);
    expect(body.data).toMatchObject({ state: 'canceled', counts: { total: 1 } });
    expect((await findJob(idle.database, id))?.resultKey).toBeNull();
    expect(await idle.files.stat(resultKey)).toBeNull();
  },
);

test('a worker that was frozen while its job failed and was retried does not cancel the retry', async () => {
  const id = await queued();
  const handler: JobHandler = async () => {
    await idle.database('jobs').where({ id }).update({ state: 'queued' });
    throw new JobCanceled('the job is not running');
  };
  const services = { ...(stack.worker as WorkerServices), database: idle.database, files: idle.files };
  expect(await runJob(recorded(handler), recordedJob(id), services)).toBe('dropped');
  expect((await findJob(idle.database, id))?.state).toBe('queued');
});

test('a job that has ended cannot be canceled', async () => {
  for (const [id, state] of [
    [await failed(), 'failed'],
    [(await client.upload(`${header}ann@example.com,1,a\n`)).body.jobId, 'completed'],
  ]) {
    const response = await post(client, id, 'cancel');
    expect([response.status, response.body.code, response.body.jobId]).toEqual([409, 'job_ended', id]);
    expect((await client.get(`/v2/jobs/${id}`)).body.data.state).toBe(state);
  }
});

test.each(['cancel', 'retry'])('%s of a job that does not exist or is not visible is 404', async (action) => {
  const mine = await failed();
  const other = await Client.of(stack, 'developer_records:write');
  const reader = await Client.of(stack, 'developer_records:read');
  for (const response of [
    await post(client, nowhere, action),
    await post(other, mine, action),
    await post(client, 'x', action),
  ]) {
    expect([response.status, response.body.code]).toEqual([404, 'not_found']);
  }
  expect((await post(reader, mine, action)).status).toBe(403);
});

test.each(['queued', 'completed', 'canceled'] as const)(
  'only a failed job can be retried: %s',
  async (state) => {
    const id = await queued();
    await idle.database('jobs').where({ id }).update({ state });
    const response = await post(idleClient, id, 'retry');
    expect([response.status, response.body.code]).toEqual([409, 'job_not_failed']);
  },
);

test('a job whose upload was removed cannot be retried', async () => {
  const id = await failed();
  const { sourceKey } = (await findJob(stack.database, id)) as { sourceKey: string };
  await rm(join(stack.folder, 'files', sourceKey));
  const response = await post(client, id, 'retry');
  expect([response.status, response.body.code]).toEqual([410, 'source_expired']);
  await stack.database('jobs').where({ id }).update({ source_key: null });
  expect((await post(client, id, 'retry')).status).toBe(410);
  expect((await client.get(`/v2/jobs/${id}`)).body.data.state).toBe('failed');
});

test('a failed job can be retried as soon as it has failed, any number of times', async () => {
  for (let turn = 0; turn < 10; turn++) {
    const id = await failed();
    const response = await post(client, id, 'retry');
    expect([response.status, response.body.data.error]).toEqual([202, undefined]);
    expect(response.headers.get('location')).toBe(`/v2/jobs/${id}`);
    const { body } = await client.jobEnd(id, 10_000);
    expect(body.data).toMatchObject({ state: 'failed', error: { code: 'invalid_rows' }, attempts: 2 });
  }
});

test('a job that is retried before its worker has taken it out of its queue is added again', async () => {
  const id = await queued();
  const { producer } = idle.api;
  await idle.database('jobs').where({ id }).update({ state: 'failed' });
  const retry = post(idleClient, id, 'retry');
  await until('it is reopened', async () => (await findJob(idle.database, id))?.state === 'queued');
  const job = await producer.queue('identity-import').getJob(id);
  await job?.remove();
  expect((await retry).status).toBe(202);
  expect(await producer.has({ queue: 'identity-import', id })).toBe(true);
});

test('a job that failed after a request to cancel it can be retried', async () => {
  const id = await failed();
  await stack.database('jobs').where({ id }).update({ cancel_requested_at: new Date() });
  await post(client, id, 'retry');
  expect((await client.jobEnd(id, 10_000)).body.data.state).toBe('failed');
});

test('a retry under an Idempotency-Key is done once, and a repetition gets the same job', async () => {
  const id = await queued();
  const retry = () =>
    idleClient.send('POST', `/v2/jobs/${id}/retry`, { headers: { 'idempotency-key': id, ...later } });
  await (await idle.api.producer.queue('identity-import').getJob(id))?.remove();
  await idle.database('jobs').where({ id }).update({ state: 'failed' });
  const first = await retry();
  const again = await retry();
  expect([first.status, again.status, again.body]).toEqual([202, 202, first.body]);
  // As if the first response had never been recorded.
  const unfinished = { status: null, headers: null, body: null, lease_until: null };
  await idle.database('idempotency_records').update(unfinished);
  const sent = await retry();
  expect([sent.status, sent.body.jobId, sent.headers.get('idempotency-replayed')]).toEqual([202, id, 'true']);
});

test('a retry is accepted while Redis is unavailable, because the job is queued again', async () => {
  const id = await queued();
  const { redis, producer } = idle.api;
  await (await producer.queue('identity-import').getJob(id))?.remove();
  await idle.database('jobs').where({ id }).update({ state: 'failed' });
  redis.disconnect();
  await until('Redis is gone', () => redis.status === 'end');
  const response = await post(idleClient, id, 'retry');
  await redis.connect();
  expect([response.status, response.body.data.state]).toEqual([202, 'queued']);
});

test('a retried job keeps its place: an upload accepted after it still wins', async () => {
  const id = (await client.upload(`${header}old@example.com,1,a\nold@example.com,1,b\n`)).body.jobId;
  await client.upload(`${header}new@example.com,1,a\n`);
  await stack.database('jobs').where({ id }).update({ state: 'failed' });
  await stack.database('job_steps').where({ job_id: id }).delete();
  await stack.database('import_changes').where({ job_id: id }).delete();
  await stack.database('identities').where({ identity: 'b' }).delete();
  await post(client, id, 'retry');
  expect((await client.jobEnd(id)).body.data.counts).toMatchObject({ created: 1, superseded: 1 });
  const { body } = await client.get(path);
  expect(body.data.map((row: { email: string }) => row.email)).toEqual([
    'new@example.com',
    'old@example.com',
  ]);
});

/** One of each kind of invalid row, and cells that a spreadsheet would run or break. */
const badFile = Buffer.concat([
  Buffer.from(`${header}good@example.com,1,good\n`),
  Buffer.from(`=cmd@example.com,zero,"+1,2"\n`),
  Buffer.from(`'=x,1,a\n`),
  Buffer.from(`nobody,1,"two\nlines"\n`),
  Buffer.from(`ann@example.com,1\n`),
  Buffer.from('bob@example.com,2,caf'),
  Buffer.from([0xe9, 0x0a]),
  Buffer.from(`eve@example.com,007,"say ""hi"""\n`),
]);

test('the rejected file contains the rejected rows as they were, escaped, with line and reason', async () => {
  const response = await client.upload(badFile, '?onError=continue');
  expect(response.status).toBe(200);
  expect(response.body).toMatchObject({
    message: expect.stringMatching(/^6 of 7 rows were rejected. The others were written/),
    counts: { total: 7, created: 1, rejected: 6 },
  });
  const file = await client.get(response.body.links.rejected);
  expect(file.status).toBe(200);
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(file.headers.get('content-disposition')).toBe(
    `attachment; filename="rejected-${response.body.jobId}.csv"`,
  );
  const number =
    'integrationId: must be an integer in plain digits, without a sign, a decimal point or leading zeros';
  const address = 'email: must be an email address such as `ada@example.com`';
  expect(file.text.split('\n')).toEqual([
    'emailEscaped,integrationId,identityEscaped,line,code,message,originalRow',
    `'=cmd@example.com,zero,"'+1,2",3,integration_id_invalid,"${number}","'=cmd@example.com,zero,""+1,2"""`,
    `''=x,1,a,4,email_invalid,${address},"''=x,1,a"`,
    `nobody,1,"two`,
    `lines",5,email_invalid; identity_forbidden_character,${address}; identity: must not contain the control character U+000A (character 4),"nobody,1,""two`,
    'lines"""',
    'ann@example.com,1,,7,cell_count,"the row has 2 cells, but the header has 3","ann@example.com,1"',
    `bob@example.com,2,caf\uFFFD\\xE9,8,undecodable_bytes,identity: byte \\xE9 at offset ${badFile.indexOf(0xe9)} cannot be decoded as UTF-8. With ?charset=windows-1252 the cell would be café,"bob@example.com,2,caf\uFFFD\\xE9"`,
    `eve@example.com,007,"say ""hi""",9,integration_id_invalid,"${number}","eve@example.com,007,""say """"hi"""""""`,
    '',
  ]);
});

test('the corrected rejected file, uploaded unchanged otherwise, completes the job', async () => {
  const { body } = await client.upload(badFile, '?onError=continue');
  const { text } = await client.get(body.links.rejected);
  const same = await client.upload(text, '?onError=continue');
  expect(same.body.counts).toMatchObject({ total: 6, rejected: 6 });
  const corrected = text
    .replace(',zero,', ',3,')
    .replace("''=x,", "'=x@example.com,")
    .replace('nobody,1,"two\nlines"', 'nobody@example.com,1,two lines')
    .replace('ann@example.com,1,,', 'ann@example.com,1,ann,')
    .replace('caf\uFFFD\\xE9', 'café')
    .replace(',007,', ',7,');
  const done = await client.upload(corrected);
  expect([done.status, done.body.counts]).toMatchObject([200, { total: 6, rejected: 0 }]);
  expect(done.body.warnings).toMatchObject([
    { code: 'extra_columns' },
    { code: 'suspicious_values', count: 2 },
  ]);
  const stored = (await client.get(path)).body.data;
  expect(stored.map((row: Record<string, unknown>) => [row.email, row.integrationId, row.identity])).toEqual(
    expect.arrayContaining([
      ['good@example.com', 1, 'good'],
      ['=cmd@example.com', 3, '+1,2'],
      ['=x@example.com', 1, 'a'],
      ['nobody@example.com', 1, 'two lines'],
      ['ann@example.com', 1, 'ann'],
      ['bob@example.com', 2, 'café'],
      ['eve@example.com', 7, 'say "hi"'],
    ]),
  );
});

test('a job without rejected rows has no such file, and a removed file is 410', async () => {
  const { body } = await client.upload(`${header}ann@example.com,1,a\n`);
  expect(body.links.rejected).toBeUndefined();
  expect((await client.get(`/v2/jobs/${body.jobId}/rejected`)).status).toBe(404);
  const id = await failed();
  const job = await findJob(stack.database, id);
  await rm(join(stack.folder, 'files', job?.rejectedKey as string));
  const response = await client.get(`/v2/jobs/${id}/rejected`);
  expect([response.status, response.body.code]).toEqual([410, 'result_expired']);
});
