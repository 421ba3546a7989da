import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import type { TestWebhook } from '../../support/api/webhooks.js';
import { OutboxDesk } from '../../support/outbox/outbox-desk.js';
import type { Receiver } from '../../support/outbox/receiver.js';
import type { Stack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

let desk: OutboxDesk;
let stack: Stack;
let client: Client;
let receiver: Receiver;
let webhook: TestWebhook;
beforeAll(async () => {
  desk = await OutboxDesk.start();
  ({ stack, client, receiver } = desk);
  webhook = await desk.integration({
    fields: {
      title: { template: '{{webhook.title}}' },
      severity: { template: '{{webhook.severity}}' },
      description: { template: '{{webhook.title}}' },
      source: { template: 'boiler' },
      service: { template: '{{webhook.service}}' },
      status: { template: '{{webhook.status}}' },
      dedupKey: { template: '{{webhook.key}}' },
    },
    custom: { region: { template: '{{webhook.region}}' } },
  });
  await destination({ name: 'Everything', paused: true });
  await desk.areKnown();
});
beforeEach(() => receiver.clear());
afterAll(() => desk.stop());

const create = (more: object) =>
  client.json('POST', '/v2/destinations', {
    name: 'Receiver',
    preset: 'webhook',
    url: `${receiver.url}/hook`,
    webhookIds: [webhook.id],
    ...more,
  });

async function destination(more: object) {
  const made = await create(more);
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data;
}

async function send(key: string, more: object = {}): Promise<void> {
  const payload = { title: `Hot ${key}`, severity: 'error', status: 'firing', key, ...more };
  await desk.send(webhook, payload);
}

/** Waits until a destination has so many messages, none of which waits, and returns them, the oldest first. */
async function messagesOf(id: string, count: number) {
  let messages: Record<string, unknown>[] = [];
  await until('the messages have ended', async () => {
    messages = (await client.get(`/v2/destinations/${id}/messages`)).body.data.reverse();
    return messages.length === count && messages.every(({ state }) => state !== 'waiting');
  });
  return messages;
}

const shown = (messages: Record<string, unknown>[]) =>
  messages.map(({ change, state, reason, detail }) => [change, state, reason, detail]);

test('a filter and a body are checked when they are saved, with the position and the reason', async () => {
  const filter = await create({ filter: 'alert.severity == "error" &&\nalert.titel == "x"' });
  expect(filter.status).toBe(400);
  expect(filter.body).toMatchObject({
    code: 'invalid_filter',
    errors: [{ field: 'filter', code: 'unknown_name', line: 2, column: 1 }],
  });
  expect(filter.body.errors[0].message).toContain('line 2, column 1: alert has no field "titel"');
  const body = await create({ body: { template: '{{alert.title' } });
  expect(body.body).toMatchObject({
    code: 'invalid_body',
    errors: [{ field: 'body', code: 'unclosed_tag', line: 1, column: 1 }],
  });
  const chat = await create({ preset: 'slack', body: { template: '{}' } });
  expect(chat.body).toMatchObject({ code: 'invalid_body' });
  const both = await create({ body: { template: '{}', expression: '{}' } });
  expect(both.status).toBe(400);
  const { id } = await destination({});
  const changed = await client.json('PATCH', `/v2/destinations/${id}`, { filter: 'alert.severity =' });
  expect(changed.body).toMatchObject({ code: 'invalid_filter' });
  const nowhere = '01a220a6-8183-75a2-bb3b-1c04c3480f1c';
  const faults = {
    webhookIds: [webhook.id, nowhere],
    url: 'https://10.0.0.1/hook',
    filter: 'alert.titel == ""',
    body: { expression: 'alert.titel' },
    types: ['alert.resolved'],
    secret: 'short',
    digestAbove: 5,
  };
  for (const { status, body } of [
    await create(faults),
    await client.json('PATCH', `/v2/destinations/${id}`, faults),
  ]) {
    expect([status, body.code, body.errorCount]).toEqual([400, 'invalid_body', 7]);
    const fields = body.errors.map(({ field }: { field: string }) => field.replace('.1', ''));
    expect(fields.sort()).toEqual(Object.keys(faults).sort());
  }
  await client.send('DELETE', `/v2/destinations/${id}`);
});

test('what a filter is false for is not told, and has a row with the clause', async () => {
  const { id } = await destination({ filter: 'alert.severity == "error" && alert.service == "shop"' });
  await send('a', { service: 'blog' });
  await send('a', { service: 'blog', status: 'resolved' });
  await send('b', { service: 'shop' });
  await send('b', { service: 'shop', severity: 'info' });
  // Who was told of an alert is told on, also if the filter is another one by now.
  await messagesOf(id, 4);
  await client.json('PATCH', `/v2/destinations/${id}`, { filter: 'alert.service == "other"' });
  await send('b', { status: 'resolved' });
  expect(shown(await messagesOf(id, 5))).toEqual([
    ['fired', 'filtered', 'filter', 'alert.service == "shop"; alert.service is "blog"'],
    ['resolved', 'superseded', 'not_told', null],
    ['fired', 'delivered', null, null],
    ['changed', 'delivered', null, null],
    ['resolved', 'delivered', null, null],
  ]);
  await client.send('DELETE', `/v2/destinations/${id}`);
});

test('a filter that cannot decide lets the message pass, says so, and stops nobody else', async () => {
  const { id } = await destination({ filter: 'timestamp(alert.custom.region) > timestamp(alert.startedAt)' });
  const other = await destination({ filter: 'alert.custom.region.startsWith("eu")' });
  await send('c', { region: 'eu-west-1' });
  expect(shown(await messagesOf(id, 1))).toEqual([
    ['fired', 'delivered', null, expect.stringContaining('The filter could not decide')],
  ]);
  expect(shown(await messagesOf(other.id, 1))).toEqual([['fired', 'delivered', null, null]]);
  for (const one of [id, other.id]) await client.send('DELETE', `/v2/destinations/${one}`);
});

test('a body of its own is drawn once, and a message without one is dead', async () => {
  const body = {
    template:
      '{"text": "{{alert.title}}", "was": "{{transition.type}}", "region": {{{alert.custom.region}}}, "n": {{{transition.sequence}}}}',
  };
  const { id } = await destination({ body });
  expect((await client.get(`/v2/destinations/${id}`)).body.data.body).toEqual({
    contentType: 'application/json',
    ...body,
  });
  const broken = await destination({ body: { expression: '{"at": timestamp(alert.custom.region)}' } });
  const plain = await destination({});
  let fails = true;
  receiver.respond = (response, { text }) => {
    response.writeHead(fails && text.includes('"was"') ? 503 : 200).end();
  };
  await send('"d"');
  await until('it was tried', () => receiver.all.some(({ text }) => text.includes('"was"')));
  fails = false;
  await client.json('PATCH', `/v2/destinations/${id}`, { body: { template: '{"other": true}' } });
  await stack
    .database('messages')
    .where('state', 'waiting')
    .update({ due_at: new Date(Date.now() - 1_000) });
  await stack.database('lanes').update({ probe_at: null, due_at: new Date(Date.now() - 1_000) });
  const [told] = await messagesOf(id, 1);
  const bodies = receiver.all.filter(({ text }) => text.includes('"was"'));
  expect(bodies).toHaveLength(2);
  expect(bodies[1]?.text).toBe(bodies[0]?.text);
  expect(JSON.parse(bodies[0]?.text ?? '')).toEqual({
    text: 'Hot "d"',
    was: 'alert.fired',
    region: null,
    n: told?.sequence,
  });
  expect(bodies[0]?.headers['content-type']).toBe('application/json');
  expect(shown(await messagesOf(broken.id, 1))).toEqual([
    ['fired', 'dead', 'body', expect.stringContaining('alert.custom.region')],
  ]);
  expect(shown(await messagesOf(plain.id, 1))).toEqual([['fired', 'delivered', null, null]]);
  const tested = await client.json('POST', `/v2/destinations/${broken.id}/test`, {});
  expect(tested.body.data).toMatchObject({ delivered: false, outcome: 'body', status: null });
  await client.json('PATCH', `/v2/destinations/${broken.id}`, { body: null });
  const wait = { prefer: 'wait=20' };
  await client.json('POST', `/v2/destinations/${broken.id}/replay`, { reasons: ['body'] }, wait);
  expect(shown(await messagesOf(broken.id, 1))).toEqual([['fired', 'delivered', null, null]]);
  for (const one of [id, broken.id, plain.id]) await client.send('DELETE', `/v2/destinations/${one}`);
});
