import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { QueueName } from '../../../workers/queues/index.js';
import { type ApiResponse, Client } from '../../support/api/client.js';
import { expectEnqueued } from '../../support/api/expect-enqueued.js';
import { makeWebhook } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

const SMALL_BYTES = 1_000;
const LATER = { prefer: 'respond-async' };
const IDENTITIES = '/v2/developers/identities';
const record = { email: 'ann@example.com', integrationId: 1, identity: 'ann' };
const csv = (rows: number) => `email,integrationId,identity\n${'ann@example.com,1,ann\n'.repeat(rows)}`;

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false, env: { SMALL_UPLOAD_BYTES: String(SMALL_BYTES) } });
  client = await Client.of(stack);
}, 60_000);
afterAll(() => stack.stop());

const putTable = (name: string, rows: number) =>
  client.send('PUT', `/v2/tables/${name}`, {
    body: csv(rows),
    headers: { 'content-type': 'text/csv', ...LATER },
  });

const jobIdOf = ({ body }: ApiResponse): string => body.jobId ?? body.data.id;

test.each<[string, QueueName, string, () => Promise<ApiResponse>]>([
  [
    'records as JSON',
    'identity-import',
    'identity-import',
    () => client.json('PATCH', IDENTITIES, [record], LATER),
  ],
  ['a small CSV', 'identity-import', 'identity-import', () => client.upload(csv(1), '', LATER)],
  ['a large CSV', 'identity-import-large', 'identity-import', () => client.upload(csv(100), '', LATER)],
  ['a small table', 'table-upload', 'table-upload', () => putTable('small', 1)],
  ['a large table', 'table-upload-large', 'table-upload', () => putTable('large', 100)],
  [
    'a removal',
    'identity-import',
    'identity-import',
    () => client.json('DELETE', IDENTITIES, [{ integrationId: 1, identity: 'ann' }], LATER),
  ],
  [
    'an export',
    'identity-export',
    'identity-export',
    () => client.json('POST', `${IDENTITIES}/exports`, { format: 'csv' }),
  ],
  [
    'a download of identities',
    'identity-export',
    'identity-export',
    () => client.get(IDENTITIES, { accept: 'text/csv', ...LATER }),
  ],
  [
    'a download of alerts',
    'alert-export',
    'alert-export',
    () => client.get('/v2/alerts', { accept: 'text/csv', ...LATER }),
  ],
  [
    'a remap',
    'alert-remap',
    'alert-remap',
    async () => client.json('POST', `/v2/webhooks/${(await makeWebhook(client)).id}/remap`, {}),
  ],
])('%s is added to the queue %s', async (_, queue, name, send) => {
  const response = await send();
  expect(response.status).toBe(202);
  const id = jobIdOf(response);
  await expectEnqueued(stack.api.producer.queue(queue), { id, name, data: { version: 1, jobId: id } });
});

test('a retry of a failed job is added to its queue again', async () => {
  const id = jobIdOf(await client.json('POST', `${IDENTITIES}/exports`, { format: 'csv' }));
  const queue = stack.api.producer.queue('identity-export');
  await (await queue.getJob(id))?.remove();
  const ended = { state: 'failed' as const, finished_at: new Date() };
  await stack.database('jobs').where({ id }).update(ended);
  const response = await client.send('POST', `/v2/jobs/${id}/retry`);
  expect(response.status).toBe(202);
  await expectEnqueued(queue, { id, data: { jobId: id } });
});
