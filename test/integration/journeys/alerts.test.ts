import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { unescapeFormula } from '../../../workers/export/formulas.js';
import { Client } from '../../support/api/client.js';
import { ALERT, makeWebhook, receiptOf, sendEvent } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

test('an event becomes an alert with a receipt', async () => {
  const { id: webhookId, path } = await makeWebhook(client);
  const raw = `${JSON.stringify(ALERT, null, 1)}\n`;
  const sent = await sendEvent(stack.url, path, raw, { 'content-type': 'text/plain' });
  const { eventId, ...response } = (await sent.json()) as { eventId: string };
  expect([sent.status, response]).toEqual([202, { status: 'success', message: 'Event accepted.' }]);
  expect(sent.headers.get('location')).toBe(`/v2/events/${eventId}`);
  const receipt = await receiptOf(client, eventId);
  expect(receipt).toMatchObject({
    id: eventId,
    webhookId,
    state: 'normalized',
    revision: 1,
    faults: [],
    raw,
  });
  expect(receipt.bytes).toBe(raw.length);
  const alert = (await client.get(`/v2/alerts/${receipt.alertIds[0]}`)).body.data;
  expect(alert).toMatchObject({
    eventId,
    webhookId,
    state: 'complete',
    revision: 1,
    receivedAt: receipt.receivedAt,
    title: 'High CPU Usage',
    severity: 'critical',
    description: 'CPU usage above 90%',
    source: 'Webhook',
    service: 'payment-api',
    environment: 'production',
    team: 'platform',
    custom: { metrics: '{"cpu_usage":95.5,"memory_usage":85.2}' },
    event: { id: eventId, state: 'normalized' },
  });
  expect(alert.results.fields.severity).toEqual({
    eventId,
    value: 'critical',
    result: 'resolved',
    paths: ['webhook.alert.severity'],
    missing: [],
    warnings: [],
  });
  expect(alert.results.fields.source).toMatchObject({
    result: 'defaulted',
    missing: [{ path: 'webhook.source' }],
  });
});

test('alerts are listed by filter, by page and as CSV', async () => {
  const { id: webhookId, path } = await makeWebhook(client, { name: 'lister' });
  const ids: string[] = [];
  for (const name of ['one', 'two', '50%', 'four']) {
    const body = { ...ALERT, alert: { ...ALERT.alert, name, severity: name === 'four' ? 'info' : 'error' } };
    ids.push(((await (await sendEvent(stack.url, path, body)).json()) as { eventId: string }).eventId);
  }
  for (const id of ids) await receiptOf(client, id);
  const titles = async (query: string) => {
    const response = await client.get(`/v2/alerts?webhookId=${webhookId}${query}`);
    return response.body.data.map(({ title }: { title: string }) => title);
  };
  expect((await titles('')).sort()).toEqual(['50%', 'four', 'one', 'two']);
  expect((await titles('&severity=error')).sort()).toEqual(['50%', 'one', 'two']);
  expect(await titles('&search=50%25')).toEqual(['50%']);
  expect(await titles('&search=WO')).toEqual(['two']);
  expect(await titles(`&to=${new Date(0).toISOString()}`)).toEqual([]);
  const events = async (query: string) =>
    (await client.get(`/v2/events?webhookId=${webhookId}${query}`)).body.data.length;
  const past = new Date(0).toISOString();
  expect([await events(`&from=${past}`), await events(`&to=${past}`)]).toEqual([4, 0]);
  expect((await client.get('/v2/events?from=yesterday')).body.errors).toMatchObject([{ field: 'from' }]);
  const first = await client.get(`/v2/alerts?webhookId=${webhookId}&pageSize=3`);
  const next = await client.get(
    `/v2/alerts?webhookId=${webhookId}&pageSize=3&cursor=${first.body.page.nextCursor}`,
  );
  expect([first.body.data.length, next.body.data.length, next.body.page.nextCursor]).toEqual([3, 1, null]);
  const other = await client.get(`/v2/alerts?pageSize=3&cursor=${first.body.page.nextCursor}`);
  expect([other.status, other.body.code]).toEqual([400, 'invalid_cursor']);
  const csv = await client.get(`/v2/alerts?webhookId=${webhookId}&severity=info`, { accept: 'text/csv' });
  const [header, row, ...rest] = csv.text.trim().split('\n');
  expect(header).toBe(
    'id,eventId,webhookId,revision,state,receivedAt,title,severity,description,source,service,environment,team,custom,' +
      'status,dedupKey,startedAt,lastEventAt,resolvedAt,eventCount,previousAlertId,resolvedBy,resolution,peakSeverity,peakAt,ownerEmail',
  );
  expect(row).toMatch(
    /^[-0-9a-f]{36},[-0-9a-f]{36},[-0-9a-f]{36},1,complete,20\S+Z,four,info,CPU usage above 90%,Webhook,payment-api,production,platform,"\{""metrics"":.*\}",,,20\S+Z,20\S+Z,,1,,,,,,$/,
  );
  expect(rest).toEqual([]);
});

test('a CSV for spreadsheets escapes formulas, and its header names the escaped columns', async () => {
  const { id: webhookId, path } = await makeWebhook(client);
  const names = ["=cmd|' /C calc'!A0", '+49', "'-1", 'plain, =1'];
  for (const name of names) {
    const sent = await sendEvent(stack.url, path, { alert: { name, severity: 'info', message: '@sum' } });
    await receiptOf(client, ((await sent.json()) as { eventId: string }).eventId);
  }
  const list = `/v2/alerts?webhookId=${webhookId}`;
  const read = async (query: string): Promise<Record<string, string>[]> =>
    parse((await client.get(`${list}&format=csv${query}`)).text, { columns: true });
  const escaped = await read('&escapeFormulas=true');
  expect(Object.keys(escaped[0] ?? {})).toEqual([
    ...['id', 'eventId', 'webhookId', 'revision', 'state', 'receivedAt', 'titleEscaped', 'severityEscaped'],
    ...[
      'descriptionEscaped',
      'sourceEscaped',
      'serviceEscaped',
      'environmentEscaped',
      'teamEscaped',
      'custom',
    ],
    ...[
      'status',
      'dedupKeyEscaped',
      'startedAt',
      'lastEventAt',
      'resolvedAt',
      'eventCount',
      'previousAlertId',
    ],
    ...['resolvedBy', 'resolutionEscaped', 'peakSeverityEscaped', 'peakAt', 'ownerEmailEscaped'],
  ]);
  expect(escaped.map(({ titleEscaped }) => titleEscaped)).toEqual(
    ["'=cmd|' /C calc'!A0", "'+49", "''-1", 'plain, =1'].toReversed(),
  );
  const plain = await read('&escapeFormulas=false');
  expect(plain.map(({ title }) => title)).toEqual(names.toReversed());
  for (const [i, row] of plain.entries()) {
    for (const [name, value] of Object.entries(row)) {
      const cell = escaped[i]?.[`${name}Escaped`];
      expect(cell === undefined ? escaped[i]?.[name] : unescapeFormula(cell)).toBe(value);
    }
  }
  const json = await client.get(`${list}&escapeFormulas=true`);
  expect([json.status, json.body.errors]).toMatchObject([
    400,
    [{ field: 'escapeFormulas', code: 'not_in_this_format' }],
  ]);
});

test('an alert has an owner, whom only keys that read identities see and search for', async () => {
  const { id: webhookId, path } = await makeWebhook(client, { template: null });
  const fields = {
    severity: { template: 'error' },
    description: { template: '{{webhook.text}}' },
    source: { template: 'test' },
    dedupKey: { template: '{{webhook.key}}' },
    ownerEmail: { template: '{{webhook.sender.email}}' },
  };
  await client.json('PUT', `/v2/webhooks/${webhookId}/mapping`, { fields });
  const alertOf = async (text: string, email: string, key?: string): Promise<string> => {
    const sent = await sendEvent(stack.url, path, { text, key, sender: { email } });
    const receipt = await receiptOf(client, ((await sent.json()) as { eventId: string }).eventId);
    return receipt.alertIds[0];
  };
  const keyed = await alertOf('disk', ' Eva@Example.COM ', 'disk');
  await alertOf('still', '', 'disk');
  const named = await alertOf('name', 'Eva Lovelace');
  const moved = await alertOf('moved', 'bob@example.com', 'disk');
  const single = await alertOf('single', 'eva@example.com');
  const list = `/v2/alerts?webhookId=${webhookId}`;
  const ownersOf = async (who: Client, query = '') =>
    (await who.get(list + query)).body.data.map(
      ({ description, ownerEmail }: Record<string, string>) => `${description} ${ownerEmail}`,
    );
  expect(moved).toBe(keyed);
  const all = ['single eva@example.com', 'name null', 'moved bob@example.com'];
  expect(await ownersOf(client)).toEqual(all);
  expect(await ownersOf(client, '&ownerEmail=EVA@example.com')).toEqual([all[0]]);
  expect(await ownersOf(client, '&ownerEmail=eva@example.com&ownerEmail=bob@example.com')).toHaveLength(2);
  const facets = (await client.get(`/v2/alerts/facets?webhookId=${webhookId}&fields=ownerEmail`)).body.data;
  expect(facets.ownerEmail.values).toContainEqual({ value: 'eva@example.com', alerts: 1 });
  expect((await client.get(`${list}&ownerEmail=Eva`)).body.errors).toMatchObject([
    { field: 'ownerEmail', code: 'email_invalid' },
  ]);
  const detail = (await client.get(`/v2/alerts/${named}`)).body.data;
  const warning = { code: 'owner_not_an_email', value: 'Eva Lovelace' };
  expect(detail.results.fields.ownerEmail).toMatchObject({ value: null, warnings: [warning] });

  const other = await Client.of(stack, 'alerts:read', 'alerts:write', 'webhooks:write');
  expect(await ownersOf(other)).toEqual(['single e***@example.com', 'name null', 'moved b***@example.com']);
  const filter = { ownerEmail: 'eva@example.com' };
  for (const { status, body } of [
    await other.get(`${list}&ownerEmail=eva@example.com`),
    await other.get(`${list}&ownerEmail=eva@example.com&format=csv`),
    await other.get('/v2/alerts/histogram?ownerEmail=eva@example.com'),
    await other.get('/v2/alerts/facets?fields=team&ownerEmail=eva@example.com'),
    await other.get('/v2/alerts/facets?fields=ownerEmail'),
    await other.json('POST', '/v2/alerts/resolve', { filter, reason: null }),
  ])
    expect([status, body.message]).toEqual([403, expect.stringContaining('developer_records:read')]);
  expect((await other.get(`/v2/alerts/facets?webhookId=${webhookId}`)).body.data.ownerEmail).toBeUndefined();
  const [whole, masked] = await Promise.all(
    [client, other].map(async (who) => {
      const csv = await who.get(`${list}&format=csv`);
      const timeline = await who.get(`/v2/alerts/${keyed}/events`);
      const shown = await who.get(`/v2/alerts/${single}`);
      const receipt = (await who.get(`/v2/alerts/${named}`)).text;
      const mapping = { fields: { ...fields, ownerEmail: { template: 'bob@example.com' } } };
      const preview = { payload: { sender: { email: 'eva@example.com' } }, mapping };
      const previewed = await who.json('POST', `/v2/webhooks/${webhookId}/preview`, preview);
      const { ownerEmail } = previewed.body.data.alerts[0].fields;
      const texts = [csv.text, timeline.text, JSON.stringify(shown.body.data), receipt];
      const owned = [...texts, JSON.stringify(ownerEmail), JSON.stringify(previewed.body.data.comparison)];
      expect(owned.map((text) => /(eva|bob)@example\.com|Lovelace/.test(text))).toEqual(
        owned.map(() => who === client),
      );
      return csv.headers.get('content-location');
    }),
  );
  expect((await other.get(masked as string)).text).toContain('e***@example.com');
  expect((await other.get(whole as string)).status).toBe(403);
});

test('without a mapping an event creates one incomplete alert with the reason', async () => {
  const { path } = await makeWebhook(client, { template: null });
  const sent = await sendEvent(stack.url, path, ALERT);
  const receipt = await receiptOf(client, ((await sent.json()) as { eventId: string }).eventId);
  expect(receipt).toMatchObject({ state: 'normalized', revision: 0 });
  const alert = await client.get(`/v2/alerts/${receipt.alertIds[0]}`);
  expect(alert.body.data).toMatchObject({
    state: 'incomplete',
    title: null,
    faults: [{ code: 'no_mapping' }],
  });
  const listed = await client.get('/v2/alerts?state=incomplete');
  expect(listed.body.data[0]).toMatchObject({ id: receipt.alertIds[0] });
});

test('a missing required field is named, with the nearest key', async () => {
  const { id, path } = await makeWebhook(client, { template: null });
  const fields = {
    severity: { template: '{{webhook.alert.severity}}' },
    description: { template: '{{webhook.alert.message}}' },
    source: { template: 'test' },
  };
  const revision = {
    webhook_id: id,
    revision: 1,
    mapping: JSON.stringify({ fields }),
    created_at: new Date(),
  };
  await stack.database('mapping_revisions').insert(revision);
  await stack.database('webhooks').where({ id }).update({ mapping_revision: 1 });
  const sent = await sendEvent(stack.url, path, { alert: { severty: 'high', message: 'm' } });
  const receipt = await receiptOf(client, ((await sent.json()) as { eventId: string }).eventId);
  const alert = await client.get(`/v2/alerts/${receipt.alertIds[0]}`);
  expect(alert.body.data.faults).toEqual([
    {
      field: 'severity',
      code: 'missing',
      message:
        'severity: webhook.alert.severity is missing or blank in the payload; did you mean webhook.alert.severty?',
      path: 'webhook.alert.severity',
    },
  ]);
});

test('health reports queues, minutes and workers', async () => {
  const { body } = await client.get('/v2/health');
  expect(body.data.queues.map(({ queue }: { queue: string }) => queue)).toContain('alert-intake-bulk');
  expect(body.data.minutes).toHaveLength(60);
  expect(body.data.minutes.at(-1).stored + body.data.minutes.at(-2).stored).toBeGreaterThanOrEqual(7);
  expect(body.data.workers).toHaveLength(1);
});

test('an alert export in the background can be downloaded from its job', async () => {
  const accepted = await client.get('/v2/alerts?format=csv', { prefer: 'respond-async' });
  expect(accepted.status).toBe(202);
  const job = await client.jobEnd(accepted.body.jobId);
  const file = await client.get(job.body.data.links.file);
  expect([file.status, file.headers.get('content-disposition')]).toEqual([
    200,
    'attachment; filename="alerts.csv"',
  ]);
  expect(file.text).toMatch(/^id,eventId,/);
});
