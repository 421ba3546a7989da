import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { makeWebhook, receiptOf, type TestWebhook } from '../../support/api/webhooks.js';
import { MailServer } from '../../support/outbox/mail-server.js';
import { untilKnown } from '../../support/outbox/outbox-desk.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

const RECIPIENTS = ['ops@example.com', 'grace@example.org'];
let stack: Stack;
let client: Client;
let server: MailServer;
let webhook: TestWebhook;
beforeAll(async () => {
  server = await MailServer.start();
  const env = { SMTP_URL: server.url, SMTP_FROM: 'Müster <muster@alerts.example.com>' };
  stack = await startStack({ env });
  client = await Client.of(stack);
  webhook = await makeWebhook(client, { name: 'Boiler', template: null, driftSeverity: null });
  await client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, {
    fields: {
      title: { template: '{{webhook.title}}' },
      severity: { template: 'error' },
      description: { template: '{{webhook.text}}' },
      source: { template: 'boiler' },
      status: { template: '{{webhook.status}}' },
      dedupKey: { template: '{{webhook.key}}' },
    },
  });
});
beforeEach(async () => {
  for (const { id } of (await client.get('/v2/destinations')).body.data)
    await client.send('DELETE', `/v2/destinations/${id}`);
  server.clear();
});
afterAll(async () => {
  await stack.stop();
  await server.stop();
});

const create = (more: object = {}) =>
  client.json('POST', '/v2/destinations', {
    name: 'Ops',
    preset: 'email',
    recipients: RECIPIENTS,
    ratePerMinute: 6_000,
    ...more,
  });

/** Creates a destination. Waits until workers know of it. */
async function destination(more: object = {}): Promise<string> {
  const { id } = (await create(more)).body.data;
  await untilKnown(stack);
  return id;
}

async function send(key: string, more: object = {}): Promise<void> {
  const payload = { title: `Hot <b>"${key}"</b> 🔥`, text: 'It is hot.', status: 'firing', key, ...more };
  const sent = await client.json('POST', webhook.path, payload);
  await receiptOf(client, sent.body.eventId);
}

const messagesOf = async (id: string) => (await client.get(`/v2/destinations/${id}/messages`)).body.data;

async function attemptsOf(id: string) {
  const [{ sequence }] = await messagesOf(id);
  return (await client.get(`/v2/destinations/${id}/messages/${sequence}/attempts`)).body.data.attempts;
}

const tested = async (id: string) => (await client.send('POST', `/v2/destinations/${id}/test`)).body.data;

test('a document names the recipients, which are no secret', async () => {
  const put = (document: object) =>
    client.json('PUT', '/v2/by-name/destinations/Ops', { name: 'Ops', preset: 'email', ...document });
  expect((await put({ url: 'https://example.com' })).body.code).toBe('invalid_url');
  expect((await put({})).body.code).toBe('invalid_recipients');
  expect((await put({ recipients: RECIPIENTS })).status).toBe(201);
  const { document } = (await client.get('/v2/by-name/destinations/Ops')).body.data;
  expect(document.recipients).toEqual(RECIPIENTS);
  expect((await put(document)).body.data.outcome).toBe('unchanged');
  expect((await put({})).body.code).toBe('invalid_recipients');
  const changed = await put({ recipients: ['ada@example.com'] });
  expect(changed.body.data.changes).toEqual([
    { path: 'recipients', before: RECIPIENTS, after: ['ada@example.com'] },
  ]);
});

test('recipients get a mail when an alert fires and when it ends, in one thread', async () => {
  const id = await destination();
  await send('a', { text: 'See <https://wiki.example.com/?a=1&b=2>\n.dot\n\n-- \nend' });
  await until('it is told', () => server.taken.length === 1);
  await send('a', { status: 'resolved' });
  await until('its end is told', () => server.taken.length === 2);
  const [fired, resolved] = await server.mails();
  expect(fired?.subject).toBe('FIRED: Hot <b>"a"</b> 🔥 (error)');
  expect(resolved?.subject).toMatch(/^RESOLVED after .*: Hot <b>"a"<\/b> 🔥$/);
  expect(fired?.from).toMatchObject({ name: 'Müster', address: 'muster@alerts.example.com' });
  expect(fired?.to?.map(({ address }) => address)).toEqual(RECIPIENTS);
  expect(server.taken.map(({ from, to }) => [from, to])).toEqual(
    Array.from({ length: 2 }, () => ['muster@alerts.example.com', RECIPIENTS]),
  );
  expect(fired?.text).toContain('See <https://wiki.example.com/?a=1&b=2>\n.dot\n\n-- \nend');
  expect(fired?.html).toContain('Hot &lt;b&gt;&quot;a&quot;&lt;/b&gt; 🔥');
  expect(fired?.html).not.toContain('<b>');
  const messages = await messagesOf(id);
  expect(fired?.messageId).toBe(`<${messages[1].id}@alerts.example.com>`);
  expect(resolved?.messageId).toBe(`<${messages[0].id}@alerts.example.com>`);
  const thread = `<alert-${messages[0].alertId}@alerts.example.com>`;
  expect([fired?.references, fired?.inReplyTo]).toEqual([thread, thread]);
  expect([resolved?.references, resolved?.inReplyTo]).toEqual([
    `${thread} ${fired?.messageId}`,
    fired?.messageId,
  ]);
  expect(fired?.headers).toContainEqual(
    expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
  );
});

test('a mail that is sent again is the same, byte for byte', async () => {
  const id = await destination();
  let failures = 1;
  server.reply = (command) => (command === '.' && failures-- > 0 ? '451 try later' : undefined);
  await send('b');
  await until('it was tried', async () => (await messagesOf(id))[0]?.attempts === 1);
  await until('it was tried again', async () => {
    await stack
      .database('messages')
      .where('state', 'waiting')
      .update({ due_at: new Date(0) });
    await stack.database('lanes').update({ probe_at: null, due_at: new Date(0) });
    return server.taken.length === 1;
  });
  await until('its outcome is stored', async () => (await attemptsOf(id))[1]?.outcome === 'smtp_250');
  expect(await attemptsOf(id)).toMatchObject([
    { outcome: 'smtp_451', status: 451, response: '451 try later' },
    { outcome: 'smtp_250', status: 250, response: '250 queued as 1' },
  ]);
  expect(server.offered).toHaveLength(2);
  expect(server.offered[1]).toBe(server.offered[0]);
});

test('many mails that wait are sent as one, in a thread of its own', async () => {
  const id = await destination({ paused: true, digestAbove: 2 });
  for (const key of ['f1', 'f2', 'f3']) await send(key);
  await until('all wait', async () => (await messagesOf(id)).length === 3);
  await client.json('PATCH', `/v2/destinations/${id}`, { paused: false });
  await until('they were told', () => server.taken.length === 1);
  const [mail] = await server.mails();
  expect(mail?.subject).toBe('3 alerts: 3 fired');
  expect(mail?.text).toContain('- FIRED: Hot <b>"f1"</b> 🔥 (error)\n');
  expect(mail?.html).toContain('FIRED: Hot &lt;b&gt;&quot;f1&quot;&lt;/b&gt; 🔥 (error)');
  expect(mail?.messageId).toMatch(/^<digest-[0-9a-f]{32}@alerts\.example\.com>$/);
  expect(mail?.references).toBeUndefined();
  await until('the messages have ended', async () =>
    (await messagesOf(id)).every(({ state }: { state: string }) => /^(delivered|digested)$/.test(state)),
  );
});

test('a mail that the server rejects for good is not sent again', async () => {
  const id = await destination();
  server.reply = (command) => (command.startsWith('RCPT') ? '550 no such user' : undefined);
  await send('c');
  await until('it is dead', async () => (await messagesOf(id))[0]?.state === 'dead');
  expect(await messagesOf(id)).toMatchObject([{ reason: 'smtp_550', attempts: 1 }]);
  expect(await attemptsOf(id)).toMatchObject([
    { status: 550, response: 'ops@example.com: 550 no such user\ngrace@example.org: 550 no such user' },
  ]);
});

test.each<[name: string, command: string, reply: string | null, outcome: string, response: RegExp]>([
  ['refuses the sender', 'MAIL', '550 who are you', 'smtp', /rejects MAIL: 550 who are you/],
  ['closes the connection', 'RCPT', null, 'reset', /mail server 127\.0\.0\.1/],
  ['is closing', 'greeting', '421 closing', 'smtp', /421 closing/],
])('a server that %s is not the fault of the destination', async (_, command, reply, outcome, response) => {
  const id = await destination();
  server.reply = (given) => (given.startsWith(command) ? reply : undefined);
  expect(await tested(id)).toMatchObject({
    delivered: false,
    outcome,
    status: null,
    response: expect.stringMatching(response),
  });
  await send(`d ${command}`);
  await until('it was tried', async () => (await messagesOf(id))[0]?.attempts === 0);
  await until('it has an outcome', async () => (await attemptsOf(id))[0]?.outcome === outcome);
  const { body } = await client.get(`/v2/destinations/${id}`);
  expect(body.data).toMatchObject({ state: 'active', failures: 0, waiting: 1 });
});

test('a mail that the server takes for one recipient is delivered, and names the others', async () => {
  const id = await destination();
  server.reply = (command) => (command.includes('grace@') ? '550 no such user' : undefined);
  expect(await tested(id)).toMatchObject({
    delivered: true,
    outcome: 'smtp_250',
    response: '250 queued as 1\ngrace@example.org: 550 no such user',
  });
  server.reply = (command) =>
    command.startsWith('RCPT') ? (command.includes('grace@') ? '450 later' : '550 no') : undefined;
  expect(await tested(id)).toMatchObject({ delivered: false, outcome: 'smtp_450' });
});

test('recipients are addresses, and replace the URL', async () => {
  const made = await create();
  expect(made.body.data).toMatchObject({ host: 'example.com, example.org', recipients: RECIPIENTS });
  const row = JSON.stringify(await stack.database('destinations').where({ id: made.body.data.id }));
  expect(row).not.toContain('ops@');
  const change = (json: object) => client.json('PATCH', `/v2/destinations/${made.body.data.id}`, json);
  const changed = await change({ recipients: ['ada@example.net'] });
  expect(changed.body.data).toMatchObject({ host: 'example.net', recipients: ['ada@example.net'] });
  for (const rejected of [
    create({ recipients: undefined }),
    create({ url: 'https://example.com/' }),
    create({ recipients: ['ops@example.com', 'OPS@example.com'] }),
    ...[
      'ops',
      'a b@example.com',
      'a@b\r\nRCPT TO:<c@example.com>',
      '<a@example.com>',
      'a@example.com, b@example.com',
    ].map((one) => create({ recipients: [one] })),
    create({ preset: 'webhook' }),
    create({ preset: 'webhook', recipients: undefined }),
    change({ url: 'https://example.com/' }),
  ])
    expect((await rejected).status).toBe(400);
});

test('texts of an alert cannot add headers, recipients or parts', async () => {
  const id = await destination();
  const title = 'Hot\r\nBcc: eve@example.com\r\n\r\n.\r\nMAIL FROM:<eve@example.com>';
  await send('e\r\nX-Own: 1', { title, text: `.\r\n${title}\r\n--${id}\r\n<script>alert(1)</script>` });
  await until('it is told', () => server.taken.length === 1);
  const [mail] = await server.mails();
  expect(mail?.subject).toBe('FIRED: Hot Bcc: eve@example.com . MAIL FROM:<eve@example.com> (error)');
  expect(server.taken[0]?.to).toEqual(RECIPIENTS);
  const names = mail?.headers.map(({ key }) => key);
  expect(names).not.toContain('bcc');
  expect(names).not.toContain('x-own');
  expect(mail?.attachments).toEqual([]);
  expect(mail?.html).not.toContain('<script');
  expect(mail?.text).toContain('<script>alert(1)</script>');
});
