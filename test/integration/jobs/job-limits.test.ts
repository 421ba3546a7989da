import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readJobLoad } from '../../../db/jobs/job-load.js';
import { forgetUpload, noteResultsRemoved } from '../../../db/jobs/jobs-upkeep.js';
import { Client } from '../../support/api/client.js';
import { makeWebhook } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { theRow } from '../../support/the-row.js';

const IDENTITIES = '/v2/developers/identities';
const MAX_OPEN = 3;
const MAX_STORED = 1024 * 1024;
const LATER = { prefer: 'respond-async' };
const record = { email: 'ada@example.com', integrationId: 7, identity: 'ada' };

let idle: Stack;
let busy: Stack;
beforeAll(async () => {
  idle = await startStack({ worker: false, env: { KEY_MAX_OPEN_JOBS: String(MAX_OPEN) } });
  busy = await startStack({ env: { KEY_MAX_STORED_BYTES: String(MAX_STORED) } });
});
afterAll(() => Promise.all([idle.stop(), busy.stop()]));

async function filesOf(stack: Stack): Promise<number> {
  let count = 0;
  for await (const _ of stack.files.list()) count += 1;
  return count;
}

test('a key at its limit of open jobs gets 429 for every type of job, with what to do', async () => {
  const client = await Client.of(idle);
  const { id } = await makeWebhook(client);
  const jobIds: string[] = [];
  for (let i = 0; i < MAX_OPEN; i++) {
    const response = await client.json('PATCH', IDENTITIES, [record], LATER);
    expect(response.status).toBe(202);
    jobIds.push(response.body.jobId);
  }
  const files = await filesOf(idle);
  const rejected = [
    await client.json('PATCH', IDENTITIES, [record], LATER),
    await client.upload('email,integrationId,identity\nada@example.com,7,ada\n', '', LATER),
    await client.json('DELETE', IDENTITIES, [{ integrationId: 7, identity: 'ada' }], LATER),
    await client.json('POST', `${IDENTITIES}/exports`, {}, LATER),
    await client.get(IDENTITIES, { accept: 'text/csv', ...LATER }),
    await client.get('/v2/alerts', { accept: 'text/csv', ...LATER }),
    await client.json('POST', `/v2/webhooks/${id}/remap`, {}, LATER),
  ];
  for (const { status, body, headers } of rejected) {
    expect([status, body.code]).toEqual([429, 'too_many_open_jobs']);
    expect(body.message).toContain('3 open jobs');
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
  }
  expect(await filesOf(idle)).toBe(files);
  const other = await Client.of(idle);
  expect((await other.json('PATCH', IDENTITIES, [record], LATER)).status).toBe(202);
  expect((await client.send('POST', `/v2/jobs/${jobIds[0]}/cancel`)).status).toBe(200);
  expect((await client.json('PATCH', IDENTITIES, [record], LATER)).status).toBe(202);
});

test('a repeated request under an Idempotency-Key gets its job, regardless of the limit', async () => {
  const client = await Client.of(idle);
  const upload = () =>
    client.upload('email,integrationId,identity\nada@example.com,7,ada\n', '', {
      ...LATER,
      'idempotency-key': 'k',
    });
  const first = await upload();
  for (let i = 1; i < MAX_OPEN; i++) await client.json('PATCH', IDENTITIES, [record], LATER);
  expect((await client.json('PATCH', IDENTITIES, [record], LATER)).status).toBe(429);
  const again = await upload();
  expect([again.status, again.body.jobId]).toEqual([202, first.body.jobId]);
});

test('uploads and results count as stored until they are removed', async () => {
  const client = await Client.of(busy);
  const text = 'email,integrationId,identity\nada@example.com,7,ada\nbroken,7,x\n';
  const { body } = await client.upload(text, '?onError=continue');
  const job = await theRow(busy.database('jobs').where({ id: body.jobId }).first());
  const load = () => readJobLoad(busy.database, job.api_key_id);
  const rejected = await busy.files.stat(job.rejected_key ?? '');
  expect(Number(job.changes_bytes)).toBeGreaterThan(0);
  const resultBytes = (rejected?.bytes as number) + Number(job.changes_bytes);
  expect(await load()).toEqual({ openJobs: 0, storedBytes: text.length + resultBytes });
  expect(await forgetUpload(busy.database, body.jobId, new Date())).toBe(true);
  expect(await load()).toEqual({ openJobs: 0, storedBytes: resultBytes });
  await noteResultsRemoved(busy.database, body.jobId, new Date());
  expect(await load()).toEqual({ openJobs: 0, storedBytes: 0 });
});

test('an upload or export that would exceed the stored bytes of its key is rejected, and leaves no file', async () => {
  const client = await Client.of(busy);
  const { body } = await client.json('POST', `${IDENTITIES}/exports`, {}, { prefer: 'wait=30' });
  await busy
    .database('jobs')
    .where({ id: body.jobId })
    .update({ result_bytes: MAX_STORED - 100 });
  const files = await filesOf(busy);
  const large = await client.upload(`email,integrationId,identity\nada@example.com,7,${'a'.repeat(200)}\n`);
  expect([large.status, large.body.code]).toEqual([429, 'too_much_stored']);
  expect(large.headers.get('retry-after')).toBe('3600');
  expect(await filesOf(busy)).toBe(files);
  expect((await client.json('PATCH', IDENTITIES, [{ ...record, identity: 'b' }])).status).toBe(200);
  await busy.database('jobs').where({ id: body.jobId }).update({ result_bytes: MAX_STORED });
  const exported = await client.json('POST', `${IDENTITIES}/exports`, {}, LATER);
  expect([exported.status, exported.body.code]).toEqual([429, 'too_much_stored']);
});
