import { createHmac } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { alertIntake } from '../../../workers/queues/contracts/alert-intake.js';
import { Client } from '../../support/api/client.js';
import { intakeEvent } from '../../support/api/intake-queue.js';
import { ALERT, makeWebhook, receiptOf, sendEvent, type TestWebhook } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { testUnless } from '../../support/test-unless.js';
import { theRow } from '../../support/the-row.js';
import { until } from '../../support/until.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const MAPPING = {
  fields: {
    title: { template: '{{request.headers.x-github-event}} in {{request.query.env}}' },
    severity: { template: '{{webhook.alert.severity}}', default: 'info' },
    description: { template: '{{webhook.alert.message}}', default: 'none' },
    source: { template: '{{request.method}}' },
  },
};

let stack: Stack;
let client: Client;
let webhook: TestWebhook;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
  webhook = await makeWebhook(client);
  await save(webhook.id, MAPPING);
});
afterAll(() => stack.stop());

async function save(id: string, mapping: object): Promise<void> {
  const { status } = await client.json('PUT', `/v2/webhooks/${id}/mapping`, mapping);
  expect(status).toBe(201);
}

/** Sends an event and returns its receipt. */
async function send(body: unknown, headers: Record<string, string> = {}, path = webhook.path) {
  const response = await sendEvent(stack.url, path, body, headers);
  const { eventId, ...rest } = (await response.json()) as { eventId: string };
  if (response.status !== 202) throw new Error(JSON.stringify(rest));
  return receiptOf(client, eventId);
}

const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

const alertOf = async ({ alertIds: [id] }: { alertIds: string[] }) =>
  (await client.get(`/v2/alerts/${id}`)).body.data;

describe('a request is stored with its event', () => {
  test('and is in the receipt, the alert, the preview and the remap', async () => {
    const receipt = await send(
      ALERT,
      { 'x-github-event': 'issues', authorization: 'Bearer hidden', 'x-api-key': 'hidden' },
      `${webhook.path}?env=prod&token=hidden`,
    );
    expect(receipt.request).toMatchObject({
      method: 'POST',
      contentType: 'application/json',
      query: { env: 'prod' },
      headers: { 'x-github-event': 'issues', 'content-type': 'application/json' },
    });
    expect(JSON.stringify(receipt)).not.toContain('hidden');

    const alert = await alertOf(receipt);
    expect(alert).toMatchObject({ title: 'issues in prod', source: 'POST', state: 'complete' });
    expect(alert.results.fields.title).toMatchObject({ value: 'issues in prod', result: 'resolved' });

    const preview = await client.json('POST', `/v2/webhooks/${webhook.id}/preview`, {
      eventIds: [receipt.id],
    });
    const [shown] = preview.body.data.alerts;
    expect(shown.fields.title.value).toBe('issues in prod');
    const nodes = preview.body.data.fields.nodes as { path: string }[];
    expect(nodes.map(({ path }) => path)).toContain('request.headers.x-github-event');

    const changed = {
      fields: { ...MAPPING.fields, title: { template: '{{request.headers.x-github-event}}!' } },
    };
    const { id, path } = await makeWebhook(client);
    const other = await send(ALERT, { 'x-github-event': 'push' }, path);
    await save(id, changed);
    const remapped = await client.json('POST', `/v2/webhooks/${id}/remap`, {}, { prefer: 'wait=10' });
    expect(remapped.body.data).toMatchObject({ state: 'completed', counts: { changed: 1 } });
    expect((await alertOf(other)).title).toBe('push!');
  });

  test('also with a rejected event', async () => {
    const response = await sendEvent(stack.url, webhook.path, 'oops', { 'x-github-event': 'old' });
    expect(response.status).toBe(400);
    const rejected = async () =>
      (await client.get(`/v2/events?webhookId=${webhook.id}&state=rejected`)).body.data[0];
    await until('it is recorded', async () => (await rejected()) !== undefined);
    expect((await receiptOf(client, (await rejected()).id)).request.headers['x-github-event']).toBe('old');
  });

  test('a pasted payload may bring a request; stored events may not', async () => {
    const request = {
      method: 'POST',
      contentType: null,
      query: { env: 'test' },
      headers: { 'x-github-event': 'ping' },
    };
    const preview = (body: object) => client.json('POST', `/v2/webhooks/${webhook.id}/preview`, body);
    const { body } = await preview({ payload: {}, request });
    expect(body.data.alerts[0].fields.title.value).toBe('ping in test');
    expect((await preview({ last: 1, request })).status).toBe(400);
    expect((await preview({ payload: {}, request: { ...request, headers: { a: 1 } } })).status).toBe(400);
  });

  test('the preview marks what the signature does not cover', async () => {
    const secret = 'a secret of the sender';
    const { id, path } = await makeWebhook(client, { signature: { scheme: 'github', secret } });
    const text = JSON.stringify(ALERT);
    const mac = createHmac('sha256', secret).update(text).digest('hex');
    await send(text, { 'x-hub-signature-256': `sha256=${mac}`, 'x-github-event': 'issues' }, path);
    const { body } = await client.json('POST', `/v2/webhooks/${id}/preview`, { last: 1 });
    const unsigned = new Map(
      (body.data.fields.nodes as { path: string; unsigned?: boolean }[]).map((node) => [
        node.path,
        node.unsigned,
      ]),
    );
    expect(unsigned.get('request.headers.x-github-event')).toBe(true);
    expect(unsigned.get('webhook.alert.name')).toBeUndefined();
    expect([...unsigned.keys()].join()).not.toContain('signature');
  });
});

describe('values that no mapping reads are masked', () => {
  const sent = (path: string) =>
    send(ALERT, { 'x-room': 'berlin', 'x-session-id': 'hidden' }, `${path}?pwd=hidden&env=prod`);
  const reading = (template: string) => ({ fields: { ...MAPPING.fields, title: { template } } });
  const titleOf = async (receipt: { alertIds: string[] }) => (await alertOf(receipt)).title;

  test('a mapping that is drawn later gets them from the next event on', async () => {
    const { id, path } = await makeWebhook(client);
    const first = await sent(path);
    expect(first.request).toMatchObject({ query: {}, masked: { query: ['pwd', 'env'] } });
    expect(first.request.masked.headers).toEqual(expect.arrayContaining(['x-room', 'x-session-id']));
    const { body } = await client.json('POST', `/v2/webhooks/${id}/preview`, { eventIds: [first.id] });
    const nodes = body.data.fields.nodes as { path: string; masked?: boolean; pickable: boolean }[];
    expect(nodes.find(({ path: at }) => at === 'request.headers.x-room')).toMatchObject({
      masked: true,
      pickable: true,
    });

    await save(id, reading('{{request.headers.x-room}} {{request.query.env}}'));
    const next = await sent(path);
    expect(await titleOf(next)).toBe('berlin prod');
    expect(next.request).toMatchObject({ query: { env: 'prod' }, masked: { query: ['pwd'] } });
    expect(JSON.stringify([first, next])).not.toContain('hidden');
    const row = await theRow(
      stack
        .database('events')
        .where({ id: Buffer.from(next.id.replaceAll('-', ''), 'hex') })
        .select('request'),
    );
    expect(String(row.request)).not.toContain('hidden');

    await save(id, reading('{{request.headers.x-other}}'));
    expect((await sent(path)).request.query).toEqual({});
  });

  test('what the template of an integration reads is kept, also when its mapping reads it no longer', async () => {
    const template = {
      name: 'rooms',
      title: 'Rooms',
      mapping: reading('{{request.headers.x-room}}'),
      sample: ALERT,
    };
    const created = await client.json('POST', '/v2/webhook-templates', template);
    expect(created.status).toBe(201);
    const { id, path } = await makeWebhook(client, { template: created.body.data.name });
    await save(id, reading('{{webhook.alert.name}}'));
    expect((await sent(path)).request.headers).toMatchObject({ 'x-room': 'berlin' });
  });
});

describe('upgrades in any order', () => {
  /** Adds a batch to the queue, past the check of the producer. */
  const add = (data: object) =>
    stack.api.producer
      .queue(alertIntake.queues[0])
      .add(alertIntake.name, data, { ...alertIntake.options, removeOnComplete: true });

  test('an event from the API of an older release has no request, and its other fields are filled', async () => {
    const event = intakeEvent(webhook.id, ALERT);
    await add({ version: 1, events: [event] });
    const receipt = await receiptOf(client, event.id);
    expect(receipt.request).toBeNull();
    const alert = await alertOf(receipt);
    expect(alert).toMatchObject({ title: null, severity: 'critical' });
    expect(alert.results.fields.title.missing).toMatchObject([
      { path: 'request.headers.x-github-event' },
      { path: 'request.query.env' },
    ]);
  });

  test('a worker ignores a key of a newer release and stores the event', async () => {
    const event = { ...intakeEvent(webhook.id, ALERT), fromTheFuture: { a: 1 } };
    await add({ version: 1, events: [event] });
    expect((await receiptOf(client, event.id)).state).toBe('normalized');
  });

  test('a malformed batch stays in the queue and is logged without its content', async () => {
    const event = intakeEvent(webhook.id, ALERT);
    const job = await add({ version: 1, events: event });
    await until('the worker reports it', () =>
      stack.lines.some((line) => line.includes('is malformed') && line.includes(`"batch":"${job.id}"`)),
    );
    expect(stack.lines.join()).not.toContain(ALERT.alert.message);
    expect((await client.get(`/v2/events/${event.id}`)).body.code).toBe('not_stored_yet');
    await job.updateData({ version: 1, events: [event] });
    expect((await receiptOf(client, event.id)).state).toBe('normalized');
  });
});

describe('forms', () => {
  const issue = { action: 'opened', issue: { title: 'é & ü', number: 12345678901234567890n.toString() } };

  test.each([
    ['GitHub', `payload=${encodeURIComponent(JSON.stringify(issue))}`, JSON.stringify(issue)],
    [
      'Travis CI',
      'payload=%7B%22state%22%3A%22failed%22%2C%22message%22%3A%22a+b%22%7D',
      '{"state":"failed","message":"a b"}',
    ],
    [
      'Slack',
      'token=x&team_id=T1&command=%2Fpage&text=db+is+down',
      '{"token":"x","team_id":"T1","command":"/page","text":"db is down"}',
    ],
    [
      'StatusCake',
      'Name=Site&Status=Down&Tags=a%2Cb&StatusCode=503',
      '{"Name":"Site","Status":"Down","Tags":"a,b","StatusCode":"503"}',
    ],
  ])('of %s become JSON', async (_, form, json) => {
    const receipt = await send(form, FORM);
    expect(receipt.raw).toBe(json);
    expect(receipt.request.contentType).toBe(FORM['content-type']);
    expect(receipt.state).toBe('normalized');
  });

  test('JSON with the type of a form stays JSON, and broken JSON is rejected', async () => {
    expect((await send('{"a":1}', FORM)).raw).toBe('{"a":1}');
    const response = await sendEvent(stack.url, webhook.path, '{"a":1', FORM);
    expect([response.status, await codeOf(response)]).toEqual([400, 'malformed_json']);
  });

  test('a signature covers the bytes of the form', async () => {
    const secret = 'a secret of the sender';
    const { path } = await makeWebhook(client, { signature: { scheme: 'github', secret } });
    const form = `payload=${encodeURIComponent('{"a":1}')}`;
    const mac = createHmac('sha256', secret).update(form).digest('hex');
    expect((await send(form, { ...FORM, 'x-hub-signature-256': `sha256=${mac}` }, path)).raw).toBe('{"a":1}');
  });
});

describe('compressed bodies', () => {
  const text = JSON.stringify(ALERT);

  test.each([
    ['gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['identity', Buffer.from(text)],
  ])('%s', async (coding, body) => {
    expect((await send(body, { 'content-encoding': coding })).raw).toBe(text);
  });

  test.each([
    ['gzip', Buffer.from(text), 400, 'malformed_body'],
    ['gzip', gzipSync('oops'), 400, 'malformed_json'],
    ['gzip', gzipSync(Buffer.alloc(64 * 1024 * 1024, ' ')), 413, 'too_large'],
    ['gzip, gzip', gzipSync(gzipSync(text)), 415, 'unsupported_media_type'],
    ['zstd', Buffer.from(text), 415, 'unsupported_media_type'],
  ])('%s of %# is rejected', async (coding, body, status, code) => {
    const response = await sendEvent(stack.url, webhook.path, body, { 'content-encoding': coding });
    expect([response.status, await codeOf(response)]).toEqual([status, code]);
    await until('the memory is released', () => stack.api.intake.buffer.heldBytes === 0);
  });

  test('a signature covers the compressed bytes', async () => {
    const secret = 'a secret of the sender';
    const { path } = await makeWebhook(client, { signature: { scheme: 'github', secret } });
    const signed = (bytes: Buffer | string) => {
      const mac = createHmac('sha256', secret).update(bytes).digest('hex');
      return { 'content-encoding': 'gzip', 'x-hub-signature-256': `sha256=${mac}` };
    };
    const body = gzipSync(text);
    expect((await send(body, signed(body), path)).raw).toBe(text);
    const response = await sendEvent(stack.url, path, body, signed(text));
    expect(response.status).toBe(401);
  });
});

/** The headers with which the sources send the payloads. */
const SENT: [payload: string, template: string, headers: Record<string, string>][] = [
  ['github_workflow_run', 'github', { 'x-github-event': 'workflow_run', 'user-agent': 'GitHub-Hookshot/1' }],
  ['github_dependabot_alert', 'github', { 'x-github-event': 'dependabot_alert' }],
  ['gitlab_deployment', 'gitlab', { 'x-gitlab-event': 'Deployment Hook', 'x-gitlab-token': 'hidden' }],
  [
    'cloudwatch_sns',
    'cloudwatch',
    { 'x-amz-sns-message-type': 'Notification', 'content-type': 'text/plain; charset=UTF-8' },
  ],
  ['alertmanager', 'alertmanager', { 'user-agent': 'Alertmanager/0.27.0' }],
  ['jira_issue', 'jira', { 'x-atlassian-webhook-identifier': '1a2b', 'x-atlassian-webhook-retry': '1' }],
  ['pagerduty_v3', 'pagerduty', { 'x-webhook-id': 'PD1', 'user-agent': 'PagerDuty-Webhook/V3.0' }],
];
const PAYLOADS = new URL('../../../../shared/data/payloads/', import.meta.url);
const testWithPayloads = testUnless(
  existsSync(PAYLOADS) ? null : 'it needs the collection of payloads, which is not part of the repository',
);

testWithPayloads.each(SENT)(
  'the payload %s of %s keeps the headers of its source',
  async (name, _, headers) => {
    const receipt = await send(readFileSync(new URL(`${name}.json`, PAYLOADS)), headers);
    const { 'x-gitlab-token': hidden, ...kept } = headers;
    expect(receipt.request.headers).toMatchObject(kept);
    if (hidden) expect(JSON.stringify(receipt.request)).not.toContain(hidden);
  },
);

testWithPayloads('every payload is stored with its request', async () => {
  const files = readdirSync(PAYLOADS).filter((file) => file.endsWith('.json'));
  expect(files.length).toBeGreaterThan(50);
  for (const file of files) {
    const body = readFileSync(new URL(file, PAYLOADS));
    const receipt = await send(body, { 'x-github-event': file });
    expect([file, receipt.raw]).toEqual([file, body.toString()]);
    expect(receipt.request.headers['x-github-event']).toBe(file);
  }
});
