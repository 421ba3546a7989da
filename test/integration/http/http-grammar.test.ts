import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fillAlerts } from '../../support/api/alerts.js';
import { Client } from '../../support/api/client.js';
import { fillIdentities } from '../../support/api/identities.js';
import { ALERT, makeWebhook, receiptOf, sendEvent } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
let webhookId: string;
let webhookPath: string;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
  ({ id: webhookId, path: webhookPath } = await makeWebhook(client));
  await makeWebhook(client);
  await fillIdentities(stack.database, 3);
});
afterAll(() => stack.stop());

const IDENTITIES = '/v2/developers/identities';
const lists = () => [
  IDENTITIES,
  '/v2/jobs',
  '/v2/keys',
  '/v2/webhooks',
  '/v2/events',
  '/v2/alerts',
  `/v2/webhooks/${webhookId}/mapping/revisions`,
];

/** Returns the errors of a rejected query. */
async function errorsOf(path: string): Promise<Record<string, string>> {
  const { status, body } = await client.get(path);
  expect({ path, status, code: body.code }).toEqual({ path, status: 400, code: 'invalid_query' });
  return Object.fromEntries(
    body.errors.map((error: { field: string; code: string }) => [error.field, error.code]),
  );
}

describe('every list has the same query parameters', () => {
  test.each(['0', '1001', '1e2', '0x10', '5.0', ' 5', '-1', '', 'ten'])(
    'rejects pageSize=%j',
    async (size) => {
      for (const list of lists()) {
        const { status, body } = await client.get(`${list}?pageSize=${encodeURIComponent(size)}`);
        expect({ list, status, message: body.message }).toEqual({
          list,
          status: 400,
          message: 'Invalid query parameter `pageSize`: must be an integer from 1 to 1000.',
        });
      }
    },
  );

  test('rejects a repeated single-value parameter', async () => {
    for (const list of lists())
      expect(await errorsOf(`${list}?pageSize=1&pageSize=2`)).toEqual({ pageSize: 'repeated_parameter' });
    expect(await errorsOf(`${IDENTITIES}?sortKey=email&sortKey=email&x=1`)).toEqual({
      sortKey: 'repeated_parameter',
      x: 'unknown_parameter',
    });
    expect((await client.get(`${IDENTITIES}?emails=a@x.org&emails=b@x.org`)).status).toBe(200);
  });

  test('rejects an empty filter', async () => {
    const filters: [string, string[]][] = [
      [
        IDENTITIES,
        ['emails', 'integrationIds', 'identities', 'searchKey', 'updatedSince', 'sortKey', 'cursor'],
      ],
      ['/v2/jobs', ['type', 'state', 'cursor']],
      ['/v2/events', ['webhookId', 'state', 'from', 'to', 'cursor']],
      [
        '/v2/alerts',
        ['severity', 'source', 'service', 'environment', 'team', 'search', 'webhookId', 'state'],
      ],
    ];
    for (const [list, names] of filters) {
      for (const name of names) {
        const { status } = await client.get(`${list}?${name}=`);
        expect({ list, name, status }).toEqual({ list, name, status: 400 });
      }
    }
  });

  test('rejects the cursor of another list, even if both have the same filters', async () => {
    const { body } = await client.get('/v2/webhooks?pageSize=1');
    expect(body.page.nextCursor).not.toBeNull();
    expect((await client.get(`/v2/webhooks?pageSize=1&cursor=${body.page.nextCursor}`)).status).toBe(200);
    const other = await client.get(`/v2/keys?cursor=${body.page.nextCursor}`);
    expect({ status: other.status, code: other.body.code, message: other.body.message }).toEqual({
      status: 400,
      code: 'invalid_cursor',
      message: expect.stringMatching(/different list/),
    });
  });
});

describe('rejects a parameter that would have no effect', () => {
  test.each([
    ['onError=continue', ['onError']],
    ['charset=utf-8&onError=abort', ['onError', 'charset']],
  ])('%s with JSON', async (query, fields) => {
    const record = { email: 'a@x.org', integrationId: 1, identity: 'x' };
    const { status, body } = await client.json('PATCH', `${IDENTITIES}?${query}`, [record]);
    expect({ status, fields: body.errors.map(({ field }: { field: string }) => field) }).toEqual({
      status: 400,
      fields,
    });
  });

  test('pageSize and cursor with CSV', async () => {
    for (const list of [IDENTITIES, '/v2/alerts']) {
      expect(await errorsOf(`${list}?format=csv&pageSize=5&cursor=x`)).toEqual({
        pageSize: 'not_in_this_format',
        cursor: 'not_in_this_format',
      });
    }
  });
});

test('HEAD announces a CSV without a job; for a page it has the headers of GET', async () => {
  const jobs = async () => (await client.get('/v2/jobs')).body.data.length;
  const before = await jobs();
  for (const list of [IDENTITIES, '/v2/alerts']) {
    const csv = await client.send('HEAD', `${list}?format=csv`);
    expect([csv.status, csv.headers.get('content-type'), csv.text]).toEqual([
      200,
      'text/csv; charset=utf-8',
      '',
    ]);
    const page = await client.send('HEAD', list);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  }
  expect(await jobs()).toBe(before);
});

describe('Prefer', () => {
  const applied = async (prefer: string) => {
    const response = await client.json('POST', `${IDENTITIES}/exports`, {}, { prefer });
    return [response.status, response.headers.get('preference-applied')];
  };

  test.each([
    ['respond-async', 202, 'respond-async'],
    ['respond-async, wait=30', 200, 'respond-async, wait=30'],
    ['wait=30, respond-async', 200, 'respond-async, wait=30'],
    ['wait=30; priority=5', 200, 'wait=30'],
    ['respond-async; note="a, b; wait=30"', 202, 'respond-async'],
    ['return="minimal; x", Wait = "30"', 200, 'wait=30'],
    ['wait=30, wait=0', 200, 'wait=30'],
    ['wait=99999', 200, 'wait=60'],
    ['wait=soon', 202, null],
    ['wait=-1', 202, null],
    ['handling=lenient', 202, null],
    [`${', '.repeat(900)}respond-async`, 202, null],
  ])('%s', async (prefer, status, header) => {
    expect(await applied(prefer)).toEqual([status, header]);
  });
});

test('an export, a remap and a retry respond in the same shape, whether the job has ended or is running', async () => {
  const calls = [`${IDENTITIES}/exports`, `/v2/webhooks/${webhookId}/remap`];
  for (const path of calls) {
    const later = await client.json('POST', path, {}, { prefer: 'respond-async' });
    const done = await client.json('POST', path, {}, { prefer: 'wait=30' });
    expect([later.status, done.status]).toEqual([202, 200]);
    for (const { body } of [later, done]) {
      expect(Object.keys(body).sort()).toEqual(['data', 'jobId', 'message', 'status']);
      expect(body.data.id).toBe(body.jobId);
    }
    expect(done.body.data.state).toBe('completed');
  }
  const failed = await client.upload('email,integrationId,identity\nx,1,y\n');
  expect(failed.status).toBe(400);
  const retry = await client.send('POST', `/v2/jobs/${failed.body.jobId}/retry`);
  expect(retry.status).toBe(202);
  expect(Object.keys(retry.body).sort()).toEqual(['data', 'jobId', 'message', 'status']);
});

test('rejected rows are 410 after they expire, and nothing links to them', async () => {
  const csv = 'email,integrationId,identity\nada@x.org,1,ada\nnobody,1,nob\n';
  const { jobId, links } = (await client.upload(csv, '?onError=continue')).body;
  expect(links.rejected).toBe(`/v2/jobs/${jobId}/rejected`);
  expect((await client.get(links.rejected)).status).toBe(200);
  await stack
    .database('jobs')
    .where({ id: jobId })
    .update({ expires_at: new Date(Date.now() - 1_000) });
  const gone = await client.get(links.rejected);
  expect([gone.status, gone.body.code]).toEqual([410, 'result_expired']);
  expect((await client.get(`/v2/jobs/${jobId}`)).body.data.links).toEqual({ self: `/v2/jobs/${jobId}` });
  // The state after upkeep has removed the file.
  await stack.database('jobs').where({ id: jobId }).update({ rejected_key: null });
  expect((await client.get(links.rejected)).status).toBe(410);
});

test('the CSV of alerts has a Content-Location for another download', async () => {
  const response = await client.get('/v2/alerts?format=csv');
  const location = response.headers.get('content-location');
  expect(location).toMatch(/^\/v2\/jobs\/[0-9a-f-]{36}\/file$/);
  expect((await client.get(location as string)).text).toBe(response.text);
});

test('alerts are filtered by severity without regard to case, as JSON and as CSV', async () => {
  await fillAlerts(stack.database, 30);
  const count = async (severity: string) =>
    (await client.get(`/v2/alerts?severity=${severity}`)).body.data.length;
  const expected = await count('critical');
  expect(expected).toBeGreaterThan(0);
  expect([await count('CRITICAL'), await count('Critical')]).toEqual([expected, expected]);
  const { text } = await client.get('/v2/alerts?severity=Critical&format=csv');
  expect(text.trim().split('\n')).toHaveLength(expected + 1);
});

test('expiresAt of a key accepts an offset, and null for a key that does not expire', async () => {
  const create = (expiresAt: unknown) =>
    client.json('POST', '/v2/keys', { name: 'x', scopes: ['alerts:read'], expiresAt });
  const offset = await create('2099-01-31T12:00:00+02:00');
  expect([offset.status, offset.body.data.expiresAt]).toEqual([201, '2099-01-31T10:00:00.000Z']);
  const never = await create(null);
  expect([never.status, never.body.data.expiresAt]).toEqual([201, null]);
  // In UTC, this is the year 10000, which the database cannot store.
  expect((await create('9999-12-31T23:59:59-10:00')).body.errors).toEqual([
    { field: 'expiresAt', code: 'custom', message: 'must be before the year 10000' },
  ]);
  expect((await create('2020-01-01T00:00:00+02:00')).body.errors).toEqual([
    { field: 'expiresAt', code: 'custom', message: 'must be in the future' },
  ]);
});

test('a webhook URL works with a trailing slash', async () => {
  const response = await sendEvent(stack.url, `${webhookPath}/`, ALERT);
  expect(response.status).toBe(202);
  const { eventId } = (await response.json()) as { eventId: string };
  expect((await receiptOf(client, eventId)).webhookId).toBe(webhookId);
  expect((await sendEvent(stack.url, `${webhookPath}//`, ALERT)).status).toBe(404);
});

test('the error for an invalid signature names the header', async () => {
  const signed = await makeWebhook(client, {
    signature: { scheme: 'github', secret: 'a secret of some length' },
  });
  const wrong = createHmac('sha256', 'another secret').update('{}').digest('hex');
  const response = await sendEvent(stack.url, signed.path, '{}', {
    'x-hub-signature-256': `sha256=${wrong}`,
  });
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([
    401,
    'WebhookSignature header="x-hub-signature-256"',
  ]);
});
