import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemOrigin } from '../../../db/audit/entry.js';
import { verifyChains } from '../../../db/audit/verify-chain.js';
import { writeAudit } from '../../../db/audit/write-audit.js';
import { inTransaction } from '../../../db/client/transaction.js';
import { runDoctor } from '../../../scripts/doctor/run.js';
import { expireAuditLog, writeAuditHeads } from '../../../workers/upkeep/keep-audit-log.js';
import { runTurn } from '../../../workers/upkeep/run-turn.js';
import { type ApiResponse, Client } from '../../support/api/client.js';
import { daysAgo } from '../../support/days-ago.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ env: { PROXY_HOPS: '1', AUDIT_ADDRESS: 'network' } });
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const entries = () => stack.database('audit_entries').orderBy(['shard', 'sequence']);
const make = (name: string, headers: Record<string, string> = {}) =>
  client.json('PUT', `/v2/integrations/${name.length}`, { name, kind: 'other' }, headers);

test('an entry tells who changed what on what, before and after, from where and when', async () => {
  const name = '<img src=x onerror=alert(1)>';
  await make(name, { 'x-forwarded-for': '198.51.100.1, 203.0.113.77', 'x-request-id': 'first' });
  await client.json(
    'PUT',
    `/v2/integrations/${name.length}`,
    { name, kind: 'github' },
    { 'x-request-id': 'second' },
  );
  await client.json(
    'PUT',
    `/v2/integrations/${name.length}`,
    { name, kind: 'github' },
    { 'x-request-id': 'third' },
  );
  const { body } = await client.get(`/v2/audit?objectKind=account_system&objectId=${name.length}`);
  const key = (await client.get('/v2/keys/current')).body.data;
  const actor = { kind: 'key', id: key.id, name: 'test' };
  const object = { kind: 'account_system', id: String(name.length), name };
  // What changes nothing writes none: there is no third one.
  expect(body.data).toEqual([
    {
      ...{ id: expect.any(String), at: expect.any(String), actor, action: 'putAccountSystem', object },
      ...{ before: { kind: 'other', accountUrl: null }, requestId: 'second', address: null },
      ...{ after: { kind: 'github', accountUrl: 'https://github.com/{identity}' } },
    },
    {
      ...{ id: expect.any(String), at: expect.any(String), actor, action: 'putAccountSystem', object },
      ...{ before: null, after: { integrationId: name.length, name, kind: 'other' } },
      ...{ requestId: 'first', address: '203.0.113.0/24' },
    },
  ]);
  expect(Math.abs(Date.parse(body.data[0].at) - Date.now())).toBeLessThan(60_000);
});

test('the list has filters, pages, facets and a file, and needs its own scope', async () => {
  for (let n = 1; n <= 5; n++)
    await client.json('POST', '/v2/keys', { name: `key, ${n}`, scopes: ['admin'] });
  const filter = 'action=createKey&actorKind=key';
  const first = (await client.get(`/v2/audit?${filter}&pageSize=3`)).body;
  const rest = (await client.get(`/v2/audit?${filter}&pageSize=3&cursor=${first.page.nextCursor}`)).body;
  const names = [...first.data, ...rest.data].map(({ object }) => object.name);
  expect(names).toEqual(['key, 5', 'key, 4', 'key, 3', 'key, 2', 'key, 1']);
  const facets = (await client.get('/v2/audit/facets?action=createKey')).body.data;
  expect(facets).toMatchObject({
    entries: 5,
    countedFrom: null,
    objectKind: [{ value: 'api_key', entries: 5 }],
  });
  expect(facets.action.map(({ value }: { value: string }) => value)).toContain('putAccountSystem');
  const file = await client.get(`/v2/audit?${filter}&format=csv`);
  expect(file.headers.get('content-disposition')).toContain('audit-log.csv');
  expect(file.text.trim().split('\n')).toHaveLength(6);
  expect(file.text).toContain('"key, 5",');
  for (const none of [
    'actorKind=person',
    `to=${daysAgo(1).toISOString()}`,
    'requestId=none',
    'objectId=none',
  ])
    expect((await client.get(`/v2/audit?${none}`)).body.data).toEqual([]);
  const admin = await Client.of(stack, 'admin');
  expect((await admin.get('/v2/audit')).body.code).toBe('missing_scope');
});

test('changes at the same time cause no deadlock, a change that is rolled back leaves no gap, and the chain holds', async () => {
  const clients = await Promise.all(Array.from({ length: 8 }, () => Client.of(stack)));
  const before = (await entries()).length;
  const responses = await Promise.all(
    clients.map(async (one) => {
      const all: ApiResponse[] = [];
      for (let n = 0; n < 25; n++)
        all.push(await one.json('POST', '/v2/keys', { name: `${n}`, scopes: n % 5 ? ['admin'] : [] }));
      return all;
    }),
  );
  const done = responses.flat().filter(({ status }) => status < 300);
  expect(responses.flat().filter(({ status }) => status >= 500)).toEqual([]);
  const origin = systemOrigin('test', 'roll-back');
  const change = {
    kind: 'job' as const,
    id: null,
    name: null,
    before: null,
    after: { huge: 'x'.repeat(100_000) },
  };
  for (let n = 0; n < 40; n++)
    await inTransaction(stack.database, async (transaction) => {
      await writeAudit(transaction, origin, [change, change]);
      if (n % 2 === 0) throw new Error('rolled back');
    }).catch(() => {});
  expect((await entries()).length - before).toBe(done.length + 40);
  expect(await verifyChains(stack.database)).toMatchObject({ faults: [] });
  const [cut] = (await client.get('/v2/audit?action=roll-back&pageSize=1')).body.data;
  expect(cut.after).toEqual({ huge: { cut: 100_002, start: expect.stringMatching(/^"x{499}$/) } });
});

/** Runs doctor, and returns what it says of the audit log. */
async function doctor(): Promise<{ level: string; found: string }> {
  let out = '';
  const write = (text: string) => {
    out += text;
  };
  const io = { out: { write }, err: { write } };
  await runDoctor(['--json'], { env: stack.env, ...io });
  return JSON.parse(out).checks.find(({ check }: { check: string }) => check === 'audit-log');
}

test('doctor finds entries that were changed or removed, and a chain that was computed again', async () => {
  const { worker, database } = stack;
  if (!worker) throw new Error('no worker');
  await runTurn([writeAuditHeads], worker);
  expect(await doctor()).toMatchObject({ level: 'ok', found: expect.stringContaining('as 1 file of heads') });
  const rows = await entries();
  const long = rows.filter(({ shard }) => shard === rows[0]?.shard);
  const [one, two, three] = long;
  const last = long.at(-1);
  if (!one || !two || !three || !last) throw new Error('no shard has enough entries');
  const { shard } = one;
  const at = ({ sequence }: { sequence: number | string }) =>
    database('audit_entries').where({ shard, sequence });
  const restore = async (row: typeof one) => {
    await at(row).delete();
    await database('audit_entries').insert(row);
  };

  await at(two).update({ actor_name: 'somebody else' });
  expect(await doctor()).toMatchObject({
    level: 'failure',
    found: expect.stringContaining(`entry 2 of shard ${shard} (${two.id}) was changed`),
  });
  await restore(two);
  await at(three).delete();
  expect((await doctor()).found).toContain(`entry 3 of shard ${shard} was removed`);
  await restore(three);
  await at(last).delete();
  expect((await doctor()).found).toContain(`entry ${last.sequence} of shard ${shard} was removed`);
  await database('audit_heads')
    .where({ shard })
    .update({ sequence: Number(last.sequence) - 1, hash: long.at(-2)?.hash ?? last.hash });
  expect((await doctor()).found).toMatch(
    `is not the one that audit/heads-${new Date().toISOString().slice(0, 10)}.json names`,
  );
  await restore(last);
  await database('audit_heads').where({ shard }).update({ sequence: last.sequence, hash: one.hash });
  expect((await doctor()).found).toContain(`the head of shard ${shard} was changed`);
  await database('audit_heads').where({ shard }).update({ hash: last.hash });
  expect((await doctor()).level).toBe('ok');
});

test('entries expire from the front, the chain goes on from the last one, and the log tells it', async () => {
  const { worker, database } = stack;
  if (!worker) throw new Error('no worker');
  const all = (await entries()).length;
  await runTurn([expireAuditLog], worker);
  expect((await entries()).length).toBe(all);
  await database('audit_entries').update({ at: daysAgo(401) });
  await runTurn([expireAuditLog], worker);
  const { body } = await client.get('/v2/audit');
  expect(body.data).toMatchObject([
    { actor: { name: 'upkeep' }, action: 'expire-audit-log', before: { count: all } },
  ]);
  await make('after expiry');
  expect(await verifyChains(database)).toEqual({ entries: 2, faults: [] });
  expect((await doctor()).level).toBe('ok');
});
