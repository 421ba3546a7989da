import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { uuidv7 } from 'uuidv7';
import { toEventId } from '../../../db/events/alerts/alert-id.js';
import { addMisses } from '../../../db/lookups/misses.js';
import { CurrentMappings } from '../../../workers/events/store/current-mappings.js';
import { inMemoryBatch } from '../../../workers/events/store/event-batch.js';
import { EventLookups } from '../../../workers/events/store/event-lookups.js';
import { WriteGroup } from '../../../workers/events/store/write-group.js';
import { Client } from '../../support/api/client.js';
import { makeWebhook, receiptOf, sendEvent, type TestWebhook } from '../../support/api/webhooks.js';
import { cases, enoughTime } from '../../support/effort.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

/** Uploads a table. */
async function saveTable(name: string, rows: string[][], rules: number | 'glob' = 1): Promise<void> {
  const keys = (rows[0] ?? []).slice(0, rules === 'glob' ? 1 : rules).map((column) => `key=${column}`);
  const query = rules === 'glob' ? [...keys, 'matching=glob'] : keys;
  const { body } = await client.send('PUT', `/v2/tables/${name}?${query.join('&')}`, {
    headers: { 'content-type': 'text/csv' },
    body: rows.map((cells) => cells.join()).join('\n'),
  });
  await client.jobEnd(body.jobId);
}

const MAPPING = {
  lookups: {
    service: { table: 'services', key: '{{webhook.service}}' },
    team: { table: 'teams', key: ['{{webhook.region}}', '{{lookup.service.team}}'] },
    author: { owner: { integrationId: 7, identity: '{{webhook.login}}' } },
  },
  filter: 'lookup.service.tier != 9',
  fields: {
    title: { template: '{{webhook.service}}' },
    severity: { expression: 'lookup.service.tier == 1 ? "critical" : "info"', default: 'warning' },
    description: { template: '{{lookup.team.room}}', default: 'nobody' },
    source: { template: 'test' },
    team: { template: '{{lookup.service.team}}' },
    ownerEmail: { template: '{{lookup.author.email}}' },
    dedupKey: { template: '{{webhook.service}}' },
  },
};

async function makeMapped(mapping: object = MAPPING): Promise<TestWebhook> {
  const webhook = await makeWebhook(client, { template: null });
  const saved = await client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, mapping);
  if (saved.status !== 201) throw new Error(saved.text);
  return webhook;
}

async function send({ path }: TestWebhook, payload: object): Promise<string> {
  const { eventId } = (await (await sendEvent(stack.url, path, payload)).json()) as { eventId: string };
  await receiptOf(client, eventId);
  return eventId;
}

const alertsOf = async ({ id }: TestWebhook) =>
  (await client.get(`/v2/alerts?webhookId=${id}`)).body.data.reverse();

test('an alert has what its event finds in tables and identities, its receipt says so, and a remap reads the tables again', async () => {
  await saveTable('services', [
    ['name', 'team', 'tier', 'note'],
    ['shop', 'Payments', '1', 'n'],
    ['old', 'X', '9', ''],
  ]);
  await saveTable(
    'teams',
    [
      ['region', 'team', 'room'],
      ['eu', 'Payments', '#pay'],
    ],
    2,
  );
  const owner = { email: 'octo@example.com', integrationId: 7, identity: 'octocat' };
  const { body } = await client.json('PATCH', '/v2/developers/identities', [owner]);
  await client.jobEnd(body.jobId);
  const webhook = await makeMapped();
  const first = await send(webhook, { service: 'shop', region: 'eu', login: 'octocat' });
  await send(webhook, { service: 'Blog', region: 'eu', login: 'nobody' });
  expect((await receiptOf(client, await send(webhook, { service: 'old' }))).state).toBe('filtered');
  const [shop, blog] = await alertsOf(webhook);
  expect(shop).toMatchObject({
    severity: 'critical',
    description: '#pay',
    team: 'Payments',
    ownerEmail: 'octo@example.com',
  });
  expect(blog).toMatchObject({ severity: 'warning', description: 'nobody', team: null, ownerEmail: null });

  await saveTable('services', [
    ['name', 'team', 'tier'],
    ['shop', 'Checkout', '1'],
    ['blog', 'Web', '2'],
  ]);
  const { lookups } = await receiptOf(client, first);
  expect(lookups).toEqual([
    {
      table: 'services',
      integrationId: null,
      revision: 1,
      key: 'shop',
      row: { team: 'Payments', tier: '1' },
      reason: null,
      nearest: null,
    },
    {
      table: 'teams',
      integrationId: null,
      revision: 1,
      key: '["eu","Payments"]',
      row: { room: '#pay' },
      reason: null,
      nearest: null,
    },
    {
      table: null,
      integrationId: 7,
      revision: null,
      key: 'octocat',
      row: { email: 'octo@example.com' },
      reason: null,
      nearest: null,
    },
  ]);
  const results = async (id: string) => (await client.get(`/v2/alerts/${id}`)).body.data.results;
  expect(await results(shop.id)).toMatchObject({
    fields: { team: { value: 'Payments', result: 'resolved' } },
    lookups: {
      service: { revision: 1, row: { team: 'Payments' } },
      author: { row: { email: 'octo@example.com' } },
    },
  });
  expect((await results(blog.id)).lookups).toMatchObject({
    service: { revision: 1, key: 'Blog', row: null, reason: 'no_row', nearest: 'blog' },
    team: { key: null, reason: 'no_key' },
    author: { integrationId: 7, key: 'nobody', row: null, reason: 'no_row' },
  });

  const remap = async (dryRun: boolean) => {
    const { body } = await client.json('POST', `/v2/webhooks/${webhook.id}/remap`, { dryRun });
    return (await client.jobEnd(body.jobId)).body.data;
  };
  const counts = { events: 3, added: 1, changed: 1, unchanged: 1, changedByLookups: 2 };
  expect(await remap(true)).toMatchObject({ state: 'completed', counts });
  expect(await remap(false)).toMatchObject({ state: 'completed', counts });
  expect((await remap(true)).counts).toMatchObject({ unchanged: 3, changedByLookups: 0 });
  expect((await alertsOf(webhook))[0]).toMatchObject({ team: 'Checkout', description: 'nobody' });
  expect((await receiptOf(client, first)).lookups[0]).toMatchObject({
    revision: 2,
    row: { team: 'Checkout' },
  });
}, 20_000);

test('a table that is missing stops nothing, and a batch takes one query for each table', async () => {
  const lookups = { host: { table: 'hosts', key: '{{item.host}}' } };
  const fields = { team: { template: '{{lookup.host.team}}' } };
  const webhook = await makeMapped({ split: 'all', lookups, fields });
  const all = Array.from({ length: 50 }, (_, number) => ({ host: `h${number}` }));
  const eventId = await send(webhook, { all });
  expect((await receiptOf(client, eventId)).lookups[0]).toMatchObject({
    table: 'hosts',
    revision: null,
    reason: 'no_table',
  });
  await saveTable('hosts', [['host', 'team'], ...all.slice(1).map(({ host }) => [host, `team of ${host}`])]);
  const queries: number[] = [];
  const note = ({ sql }: { sql: string }) =>
    void (sql.includes('lookup_rows') && queries.push(sql.split("x'").length - 1));
  stack.database.on('query', note);
  const mapped = await receiptOf(client, await send(webhook, { all }));
  stack.database.off('query', note);
  expect(mapped.lookups[49]).toMatchObject({ key: 'h49', row: { team: 'team of h49' } });
  expect(mapped.alertIds).toHaveLength(50);
  // Later ones look for the rows that the receipt suggests.
  expect(queries[0]).toBe(50);
  await until('the misses are counted', async () => {
    const rows = await stack.database('lookup_misses').where('table_name', 'hosts');
    return rows.reduce((sum, { misses }) => sum + Number(misses), 0) === 50 + 1;
  });
  const missed = (await client.get('/v2/tables/hosts/misses')).body;
  expect([missed.data, missed.page.nextCursor]).toEqual([
    [expect.objectContaining({ key: 'h0', count: 2 })],
    null,
  ]);
  const csv = await client.get('/v2/tables/hosts/misses?format=csv');
  expect(csv.text).toBe('host,team\nh0,\n');
  const headers = { 'content-type': 'text/csv' };
  const body = csv.text.replace('h0,', 'h0,late');
  await client.jobEnd((await client.send('PATCH', '/v2/tables/hosts', { headers, body })).body.jobId);
  expect((await client.get('/v2/tables/hosts/misses')).body.data).toEqual([]);
  expect((await client.get('/v2/tables/hosts/webhooks')).body.data).toMatchObject([
    { id: webhook.id, lookups: ['host'] },
  ]);
  expect((await client.get('/v2/tables/unknown/misses')).status).toBe(404);

  const pair = { table: 'pairs', key: ['{{webhook.a}}', '{{webhook.b}}'] };
  await makeMapped({ lookups: { pair }, fields: { team: { template: '{{lookup.pair.team}}' } } });
  const now = new Date();
  const miss = { table: 'pairs', count: 1, firstAt: now, lastAt: now, eventId };
  await addMisses(
    stack.database,
    ['["a","b"]', 'x', '["1","2","3"]', 'y'].map((key) => ({ ...miss, key })),
  );
  expect((await client.get('/v2/tables/pairs/misses?format=csv')).text).toBe('key1,key2\na,b\n');
});

test('a preview shows what a sample finds, and a mapping is saved whatever its tables are', async () => {
  await saveTable('plans', [
    ['name', 'level'],
    ['gold', '3'],
  ]);
  const { id } = await makeWebhook(client, { template: null });
  const mapping = {
    lookups: {
      plan: { table: 'plans', key: '{{webhook.plan}}' },
      none: { table: 'nothing', key: 'x' },
      two: { table: 'plans', key: ['a', 'b'] },
      author: { owner: { integrationId: 7, identity: 'x' } },
      bad: { table: 'plans', key: { expression: 'webhook.plan + 1' } },
    },
    fields: {
      team: { template: '{{lookup.author.mail}}{{lookup.author.email}}' },
      title: { template: '{{lookup.plan.level}}{{lookup.plan.levle|webhook.a}}' },
    },
  };
  const preview = await client.json('POST', `/v2/webhooks/${id}/preview`, {
    mapping,
    payload: { plan: 'gold', a: '' },
  });
  const { alerts, events, fields, warnings } = preview.body.data;
  expect(alerts[0].lookups).toMatchObject({
    plan: { row: { name: 'gold', level: '3' } },
    none: { reason: 'no_table' },
    bad: { reason: 'no_key', error: expect.stringMatching(/line 1, column/) },
  });
  expect(events[0].warnings).toMatchObject([{ code: 'expression_error', value: 'lookups.bad' }]);
  expect(fields.nodes[2]).toEqual({ path: 'lookup.plan.level', type: 'text', sample: '3', pickable: true });
  const codes = ['unknown_column', 'unknown_table', 'wrong_key_columns', 'unknown_column'];
  expect(warnings.map(({ code }: { code: string }) => code)).toEqual(codes);
  const saved = await client.json('PUT', `/v2/webhooks/${id}/mapping`, mapping);
  expect([saved.status, saved.body.data.warnings.length]).toEqual([201, 4]);
  mapping.lookups.author.owner.integrationId = 0;
  expect((await client.json('PUT', `/v2/webhooks/${id}/mapping`, mapping)).status).toBe(422);
});

test('a receipt says which limit keys exceeded that were not looked up, and which expression failed', async () => {
  const columns = Array.from({ length: 18 }, (_, at) => `c${at}`);
  const keys = Array.from({ length: 32 }, (_, at) => `key-${at}`);
  const cells = columns.map(() => 'x'.repeat(3_900));
  await saveTable('rich', [['key', ...columns], ...keys.map((key) => [key, ...cells])]);
  const webhook = await makeMapped({
    split: 'all',
    lookups: {
      rich: { table: 'rich', key: '{{item}}' },
      bad: { table: 'rich', key: { expression: 'item + 1' } },
    },
    fields: {
      title: { template: '{{item}}' },
      team: { expression: 'string(size(lookup.rich))', default: 'none' },
    },
  });
  const eventId = await send(webhook, { all: keys });
  const { warnings } = await receiptOf(client, eventId);
  expect(warnings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ field: 'lookups.bad', code: 'expression_error' }),
      expect.objectContaining({ field: 'lookups', code: 'too_much_text' }),
    ]),
  );
  const last = (await alertsOf(webhook)).find(({ title }: { title: string }) => title === 'key-31');
  const { lookups } = (await client.get(`/v2/alerts/${last.id}`)).body.data.results;
  expect([last.team, lookups.rich.reason, lookups.bad.reason]).toEqual(['none', 'too_much_text', 'no_key']);
});

/** Stores an event as a worker does. */
async function store(webhookId: string, receivedAt: number, payload: object): Promise<void> {
  const { database } = stack;
  const mappings = await new CurrentMappings(database).of([webhookId]);
  const lookups = await new EventLookups(database).begin(mappings);
  if (!lookups) throw new Error('the mapping has no lookups');
  const event = { id: toEventId(uuidv7()), webhookId, receivedAt, raw: JSON.stringify(payload) };
  const { build, prepare } = lookups;
  await new WriteGroup({ database, log: pino({ level: 'silent' }) }, [inMemoryBatch([event])], build, {
    prepare,
  }).write();
}

test('many events are mapped as each alone, with two queries for a few hundred of them', async () => {
  const names = Array.from({ length: 300 }, (_, at) => `n${at}`);
  await saveTable('first', [['name', 'next'], ...names.map((name) => [name, `${name}-next`])]);
  await saveTable('second', [['next', 'team'], ...names.map((name) => [`${name}-next`, `team ${name}`])]);
  const { id } = await makeMapped({
    split: 'webhook.items',
    expandJson: ['webhook.text'],
    filter: 'item.name != "n5"',
    lookups: {
      one: { table: 'first', key: '{{item.name}}' },
      two: { table: 'second', key: '{{lookup.one.next}}' },
      all: { table: 'first', key: '{{webhook.text.all}}' },
      bad: { table: 'first', key: { expression: 'webhook.bad ? webhook.missing.at : item.name' } },
    },
    fields: { title: { template: '{{lookup.two.team}} {{lookup.all.next}} {{lookup.bad.next}}' } },
  });
  const mappings = await new CurrentMappings(stack.database).of([id]);
  const events = Array.from({ length: 450 }, (_, at) => ({
    id: toEventId(uuidv7()),
    webhookId: id,
    receivedAt: 1,
    raw: JSON.stringify({
      text: JSON.stringify({ all: `n${at % 7}` }),
      items: [0, 1, 2].map((item) => ({ name: at % 50 === 9 ? `none-${at}` : `n${(at * 3 + item) % 310}` })),
      bad: at % 11 === 0,
    }),
  }));
  const begin = async () => {
    const lookups = await new EventLookups(stack.database).begin(mappings);
    if (!lookups) throw new Error('the mapping has no lookups');
    return lookups;
  };
  const [together, alone] = [await begin(), await begin()];
  const queries: string[] = [];
  const count = ({ sql }: { sql: string }) => void (sql.includes('lookup_rows') && queries.push(sql));
  stack.database.on('query', count);
  const built: unknown[] = [];
  let portions = 0;
  for (let prepared = 0; built.length < events.length; portions += 1) {
    prepared += await together.prepare(events.slice(prepared));
    for (const event of events.slice(built.length, prepared)) built.push(await together.build(event));
  }
  stack.database.off('query', count);
  const each: unknown[] = [];
  for (const event of events) each.push(await alone.build(event));
  expect(built).toEqual(each);
  expect(JSON.stringify(built)).toContain('team n17');
  expect(portions).toBe(3);
  expect(queries.length).toBeLessThanOrEqual(2 * portions);
});

test('a key that depends on another lookup is made of its row, also if the rows of many events are too much at once', async () => {
  const text = 'x'.repeat(3_900);
  const names = Array.from({ length: 2_300 }, (_, at) => `n${at}`);
  await saveTable('wide', [['name', 'team', 'text'], ...names.map((name) => [name, 'alpha', text])]);
  await saveTable('leads', [
    ['team', 'lead'],
    ['alpha', 'Ann'],
    ['fallback', 'nobody'],
  ]);
  const { id } = await makeMapped({
    split: 'webhook.items',
    lookups: {
      own: { table: 'wide', key: '{{item.name}}' },
      lead: { table: 'leads', key: '{{lookup.own.team|webhook.team}}' },
    },
    fields: { title: { template: '{{lookup.lead.lead}}' }, description: { template: '{{lookup.own.text}}' } },
  });
  const mappings = await new CurrentMappings(stack.database).of([id]);
  const lookups = await new EventLookups(stack.database).begin(mappings);
  const events = Array.from({ length: 8 }, (_, at) => ({
    id: toEventId(uuidv7()),
    webhookId: id,
    receivedAt: 1,
    raw: JSON.stringify({
      team: 'fallback',
      items: names.slice(at * 280, at * 280 + 300).map((name) => ({ name })),
    }),
  }));
  expect(await lookups?.prepare(events)).toBe(events.length);
  for (const event of events) {
    const titles = (await lookups?.build(event))?.alerts.map(({ title }) => title);
    expect(new Set(titles)).toEqual(new Set(['Ann']));
  }
});

test(
  'whenever tables change and events arrive, an alert has what its newest event found, until a remap',
  async () => {
    const keys = ['a', 'b'];
    const step = fc.oneof(
      fc.record({ teams: fc.array(fc.constantFrom('x', 'y', null), { minLength: 2, maxLength: 2 }) }),
      fc.record({ key: fc.constantFrom(...keys), at: fc.integer({ min: 0, max: 9 }) }),
    );
    const start = Date.now() - 3_600_000;
    const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 8 }), async (steps) => {
      const table = `t-${uuidv7().slice(-12)}`;
      const { id } = await makeMapped({
        lookups: { own: { table, key: '{{webhook.key}}' } },
        fields: { dedupKey: { template: '{{webhook.key}}' }, team: { template: '{{lookup.own.team}}' } },
      });
      const events: { key: string; at: number; order: number; team: string | null }[] = [];
      let rows = new Map<string, string | null>();
      for (const [order, one] of steps.entries()) {
        if ('teams' in one) {
          rows = new Map(keys.map((key, index) => [key, one.teams[index] ?? null]));
          const found = [...rows].flatMap(([key, team]) => (team === null ? [] : [[key, team]]));
          await saveTable(table, [['key', 'team'], ...found, ['other', `${order}`]]);
        } else {
          await store(id, start + 1_000 * one.at, { key: one.key });
          events.push({ ...one, order, team: rows.get(one.key) ?? null });
        }
      }
      const newest = (key: string) =>
        events
          .filter((event) => event.key === key)
          .sort((one, other) => one.at - other.at || one.order - other.order)
          .findLast(({ team }) => team !== null)?.team ?? null;
      const used = [...new Set(events.map(({ key }) => key))].sort();
      const teams = async () => {
        const alerts: { dedupKey: string; team: string | null }[] = (
          await client.get(`/v2/alerts?webhookId=${id}`)
        ).body.data;
        return alerts.map(({ dedupKey, team }) => [dedupKey, team]).sort();
      };
      expect(await teams()).toEqual(used.map((key) => [key, newest(key)]));
      const { body } = await client.json('POST', `/v2/webhooks/${id}/remap`, {});
      const { counts } = (await client.jobEnd(body.jobId)).body.data;
      expect(await teams()).toEqual(used.map((key) => [key, rows.get(key) ?? null]));
      const other = events.filter(({ key, team }) => team !== (rows.get(key) ?? null));
      expect(counts).toMatchObject({ changedByLookups: other.length, changed: other.length });
    });
    await fc.assert(property, { numRuns: cases(3) });
  },
  enoughTime(60_000),
);

test('a key that may not read identities sees masked owners in previews, and saves no mapping that looks them up', async () => {
  const owner = { email: 'eva@example.com', integrationId: 8, identity: 'eva-l' };
  const { body } = await client.json('PATCH', '/v2/developers/identities', [owner]);
  await client.jobEnd(body.jobId);
  const [severity, source, text] = ['info', 'test', '{{lookup.author.email}}'].map((template) => ({
    template,
  }));
  const lookups = { author: { owner: { integrationId: 8, identity: '{{webhook.login}}' } } };
  const mapping = { lookups, fields: { severity, source, description: text, title: text, ownerEmail: text } };
  const { id } = await makeMapped(mapping);
  const template = { name: 'with-owners', mapping, sample: { login: 'eva-l' } };
  expect((await client.json('POST', '/v2/webhook-templates', template)).status).toBe(201);
  const other = await Client.of(stack, 'webhooks:write');
  for (const given of [{ mapping }, {}]) {
    const preview = { payload: { login: 'eva-l' }, ...given };
    const { data } = (await other.json('POST', `/v2/webhooks/${id}/preview`, preview)).body;
    expect(data.alerts[0].fields.title.value).toBe('e***@example.com');
    expect(data.alerts[0].lookups.author.row).toEqual({ email: 'e***@example.com' });
    expect(JSON.stringify(data)).not.toContain('eva@');
  }
  for (const [method, path, sent] of [
    ['PUT', `/v2/webhooks/${id}/mapping`, mapping],
    ['POST', '/v2/webhook-templates', { ...template, name: 'other' }],
    ['POST', '/v2/webhooks', { name: 'other', template: 'with-owners' }],
  ] as const)
    expect((await other.json(method, path, sent)).status).toBe(403);
});

test('a key that may not read tables previews and saves no mapping that does, and gets the keys of receipts masked', async () => {
  await saveTable('people', [
    ['name', 'room'],
    ['ida', '#i'],
    ['IDA-L', '#l'],
  ]);
  const owner = { email: 'ida@example.com', integrationId: 9, identity: 'login' };
  const { body } = await client.json('PATCH', '/v2/developers/identities', [owner]);
  await client.jobEnd(body.jobId);
  const name = { expression: 'lookup.author.email.split("@")[0]' };
  const person = { table: 'people', key: name };
  const initials = { table: 'people', key: { expression: `${name.expression} + "-l"` } };
  const account = { owner: { integrationId: 9, identity: name } };
  const sent = { table: 'people', key: '{{webhook.mail}}' };
  const author = { owner: { integrationId: 9, identity: '{{webhook.login}}' } };
  const room = { template: '{{lookup.person.room}}' };
  const webhook = await makeMapped({
    lookups: { author, person, initials, account, sent },
    fields: { team: room },
  });
  const eventId = await send(webhook, { login: 'login', mail: 'eva@example.com' });
  const [{ id: alertId }] = await alertsOf(webhook);
  const shown = async (reader: Client) => {
    const { results } = (await reader.get(`/v2/alerts/${alertId}`)).body.data;
    const all = [(await receiptOf(reader, eventId)).lookups, Object.values(results.lookups)];
    return all.map((lookups) =>
      lookups.map(({ key, nearest }: Record<string, string | null>) => [key, nearest]).sort(),
    );
  };
  const open = [
    ['eva@example.com', null],
    ['ida', null],
    ['ida', null],
    ['ida-l', 'IDA-L'],
    ['login', null],
  ];
  expect(await shown(client)).toEqual([open, open]);
  const masked = [
    ['***', null],
    ['***', null],
    ['***', '***'],
    ['e***@example.com', null],
    ['login', null],
  ];
  expect(await shown(await Client.of(stack, 'alerts:read'))).toEqual([masked, masked]);

  const mapping = { lookups: { person: sent }, fields: { team: room } };
  const template = { name: 'with-table', mapping, sample: {} };
  expect((await client.json('POST', '/v2/webhook-templates', template)).status).toBe(201);
  const made = { name: 'of a template with a table', template: 'with-table' };
  expect((await client.json('POST', '/v2/webhooks', made)).status).toBe(201);
  const other = await Client.of(stack, 'webhooks:write');
  for (const [method, path, sent] of [
    ['POST', `/v2/webhooks/${webhook.id}/preview`, { mapping, payload: { mail: 'ida@example.com' } }],
    ['PUT', `/v2/webhooks/${webhook.id}/mapping`, mapping],
    ['POST', '/v2/webhook-templates', { ...template, name: 'other' }],
    ['POST', '/v2/webhooks', { ...made, name: 'other' }],
  ] as const) {
    const { status, body } = await other.json(method, path, sent);
    expect([path, status, body.message]).toEqual([path, 403, expect.stringContaining('tables:read')]);
  }
});

test('an event whose keys take too long to compare with patterns says so, as its preview does, and others find theirs', async () => {
  const patterns = Array.from({ length: 999 }, (_, at) => `${'*aaaaaaaa'.repeat(30)}*b${at}*b`);
  await saveTable(
    'slow',
    [['pattern', 'team'], ...patterns.map((one) => [one, 'x']), ['quick*', 'fast']],
    'glob',
  );
  const mapping = {
    split: 'keys',
    lookups: { host: { table: 'slow', key: '{{item}}' } },
    fields: {
      title: { template: '{{item}}' },
      severity: { default: 'info' },
      description: { template: '{{lookup.host.team}}', default: 'nobody' },
      source: { template: 'test' },
    },
  };
  const webhook = await makeMapped(mapping);
  const hostile = Array.from({ length: 300 }, (_, at) => `${'a'.repeat(600 + at)}b`);
  const eventId = await send(webhook, { keys: ['quick one', ...hostile] });
  const first = (await client.get(`/v2/events/${eventId}`)).body.data;
  expect(first.warnings.map(({ code }: { code: string }) => code)).toContain('too_many_comparisons');
  const preview = await client.json('POST', `/v2/webhooks/${webhook.id}/preview`, {
    payload: { keys: ['quick two', ...hostile] },
  });
  expect(preview.body.data.events[0].warnings.map(({ code }: { code: string }) => code)).toContain(
    'too_many_comparisons',
  );
  expect(preview.body.data.alerts[0].fields).toBeDefined();
  await send(webhook, { keys: ['quick three'] });
  expect((await alertsOf(webhook)).at(-1)).toMatchObject({ title: 'quick three', description: 'fast' });
});
