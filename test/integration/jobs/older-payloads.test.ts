import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { insertJob } from '../../../db/jobs/jobs.js';
import type { QueueName } from '../../../workers/queues/index.js';
import { Client } from '../../support/api/client.js';
import { ALERT, makeWebhook, receiptOf, sendEvent, type TestWebhook } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

/** A moment after all events, as JSON has it. */
const LATER = '2100-01-01T00:00:00.000Z';

let stack: Stack;
let client: Client;
let webhook: TestWebhook;
let apiKeyId: string;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
  webhook = await makeWebhook(client);
  const response = await sendEvent(stack.url, webhook.path, ALERT);
  await receiptOf(client, ((await response.json()) as { eventId: string }).eventId);
  apiKeyId = (await client.get('/v2/keys/current')).body.data.id;
});
afterAll(() => stack.stop());

/*
 * What the first builds of Muster put into the table and the queues. These texts are a record: do not adapt them to a new schema.
 */
const CSV = 'email,integrationId,identity\nann@example.com,1,ann\n';
const UPLOAD = { sourceBytes: CSV.length, acceptance: 1 };
const older: [QueueName, { params: () => object; upload?: typeof UPLOAD }][] = [
  [
    'identity-import',
    {
      upload: UPLOAD,
      params: () => ({
        version: 1,
        format: 'csv',
        action: 'assert',
        onError: 'abort',
        dryRun: false,
        bytes: CSV.length,
        maxBytes: 1_000_000,
        maxRows: 1_000,
      }),
    },
  ],
  ['identity-export', { params: () => ({ version: 1, filters: {}, format: 'csv' }) }],
  ['alert-export', { params: () => ({ version: 1, filters: { severity: 'critical' }, format: 'csv' }) }],
  [
    'alert-remap',
    {
      params: () => ({
        version: 1,
        webhookId: webhook.id,
        revision: 1,
        to: LATER,
        onlyIncomplete: false,
        dryRun: true,
      }),
    },
  ],
];

test.each(older)('a worker completes a job of the first release: %s', async (queue, { params, upload }) => {
  const id = uuidv7();
  const sourceKey = `uploads/${randomUUID()}`;
  if (upload) await stack.files.write(sourceKey, Readable.from([Buffer.from(CSV)]));
  await insertJob(stack.database, {
    id,
    type: queue,
    queue,
    apiKeyId,
    requestId: 'r',
    params: params(),
    ...(upload && { ...upload, sourceKey }),
  });
  const options = { jobId: id, attempts: 1, removeOnComplete: true, removeOnFail: true };
  await stack.api.producer.queue(queue).add(queue, { version: 1, jobId: id, requestId: 'r' }, options);
  expect((await client.jobEnd(id)).body.data).toMatchObject({ state: 'completed', attempts: 1 });
});
