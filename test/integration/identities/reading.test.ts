import { afterEach, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { fillIdentities, insertIdentities } from '../../support/api/identities.js';
import { createTestDatabase } from '../../support/servers/database.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

let stack: Stack | null = null;
afterEach(async () => {
  await stack?.stop();
  stack = null;
});

const row = (identity: string) => ({ email: 'a@example.com', integrationId: 1, identity });

test('lists and exports are read from a replica whose lag is small enough; jobs, and what lacks an index there, from the primary', async () => {
  const replica = await createTestDatabase();
  stack = await startStack({ env: { DATABASE_READ_URL: replica.url, DATABASE_READ_MAX_LAG_S: '5' } });
  const client = await Client.of(stack);
  await insertIdentities(stack.database, [row('on the primary')]);
  await insertIdentities(replica.database, [row('on the replica')]);
  const beat = 'REPLACE INTO replica_heartbeat VALUES (1, UTC_TIMESTAMP(3))';
  await replica.database.raw(beat);

  const list = await client.get('/v2/developers/identities');
  expect(list.body.data).toMatchObject([row('on the replica')]);
  await replica.database.raw(beat);
  const asked = await client.json('POST', '/v2/developers/identities/exports', {});
  const job = (await client.jobEnd(asked.body.jobId)).body.data;
  expect((await client.get(job.links.file)).text).toContain('on the replica');

  await replica.database.raw(beat);
  // As before migration 019.
  await replica.database.raw('ALTER TABLE alerts DROP INDEX by_severity');
  expect((await client.get('/v2/alerts?severity=critical')).status).toBe(200);
  await until('the replica serves again', async () => {
    await replica.database.raw(beat);
    const { body } = await (client as Client).get('/v2/developers/identities');
    return body.data[0].identity === 'on the replica';
  });

  await replica.database('replica_heartbeat').update({ beat_at: new Date(Date.now() - 60_000) });
  await until('the primary serves', async () => {
    const { body } = await (client as Client).get('/v2/developers/identities');
    return body.data[0].identity === 'on the primary';
  });
  await stack.stop();
  stack = null;
  await replica.drop();
});

test('a query that takes the database more than 5 s gets 503 search_too_slow, with how to narrow it', async () => {
  stack = await startStack({ worker: false });
  const client = await Client.of(stack);
  const { database } = stack;
  const lists = [
    '/v2/developers/identities?searchKey=email&searchValue=x',
    '/v2/alerts?search=x&severity=critical',
    '/v2/events?state=failed',
  ];
  const responses = await database.transaction(async (transaction) => {
    // A locked table makes every lookup slow.
    await transaction.raw('LOCK TABLES identities WRITE, alerts WRITE, events WRITE');
    const asked = await Promise.all(lists.map((path) => client.get(path)));
    await transaction.raw('UNLOCK TABLES');
    return asked;
  });
  const narrow = [
    /Filter by `emails` or `integrationIds`/,
    /with `webhookId`, or with `from` and `to`, or request a CSV/,
    /with `webhookId`, or with `from` and `to`, or request a CSV/,
  ];
  for (const [i, { status, headers, body }] of responses.entries()) {
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'search_too_slow' });
    expect(body.message).toMatch(narrow[i] as RegExp);
    expect(headers.get('retry-after')).toBe('5');
  }
});

test('an export whose connection is lost starts over, and its file is complete', async () => {
  stack = await startStack();
  const { database, worker } = stack;
  const client = await Client.of(stack);
  const rows = 150_000;
  await fillIdentities(database, rows);
  const { jobId } = (await client.json('POST', '/v2/developers/identities/exports', {})).body;
  let killed = 0;
  const ended = client.jobEnd(jobId);
  await until('its connection is killed', async () => {
    const [found] = await database.raw(
      "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'select `email`, `integration_id`, `identity` from%'",
    );
    for (const { id } of found)
      await database.raw('KILL ?', [id]).then(
        () => killed++,
        () => {},
      );
    return killed > 0;
  });
  const job = (await ended).body.data;
  expect(job).toMatchObject({ state: 'completed', counts: { rows }, attempts: 1 });
  const { text } = await client.get(job.links.file);
  expect(text.split('\n').length).toBe(rows + 2);
  const keys: string[] = [];
  for await (const key of worker?.files.list() ?? []) keys.push(key);
  expect(keys).toHaveLength(1);
}, 90_000);
