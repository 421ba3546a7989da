import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { compareKeys } from '../../../db/identities/key-order.js';
import { Client } from '../../support/api/client.js';
import { insertIdentities } from '../../support/api/identities.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

const ROWS = 20_000;
const CHUNK = 500;
let stack: Stack;
let client: Client;
beforeEach(async () => {
  stack = await startStack({ env: { IMPORT_LANES: '1', IMPORT_CHUNK_ROWS: String(CHUNK) } });
  client = await Client.of(stack);
});
afterEach(() => stack.stop());

/** In the order in which an import writes them. */
const keys = Array.from({ length: ROWS }, (_, i) => ({
  integrationId: 1 + (i % 3),
  identity: `octo-${i}`,
})).sort(compareKeys);
const nameOf = (integrationId: number | string, identity: string) => `${integrationId}/${identity}`;
const checksum = (lines: string[]): string =>
  createHash('sha256')
    .update([...lines].sort().join('\n'))
    .digest('hex');

/** Returns the rows of a download, as owner by key. */
async function download(): Promise<Map<string, string>> {
  const { text, status } = await client.get('/v2/developers/identities?format=csv&sortKey=integrationId');
  expect(status).toBe(200);
  const [, ...rows] = parse(text) as [string, string, string][];
  return new Map(rows.map(([email, integrationId, identity]) => [nameOf(integrationId, identity), email]));
}

test('an export during an import contains the first chunks, each complete, and no part of another chunk', async () => {
  await insertIdentities(
    stack.database,
    keys.map((key) => ({ ...key, email: 'old@example.com' })),
  );
  const lines = keys.map(({ integrationId, identity }) => `new@example.com,${integrationId},${identity}`);
  const csv = ['email,integrationId,identity', ...lines].join('\n');
  const { jobId } = (await client.upload(csv, '', { prefer: 'respond-async' })).body;
  const written: number[] = [];
  for (let ended = false; !ended; ) {
    ended = (await client.get(`/v2/jobs/${jobId}`)).body.data.finishedAt !== null;
    const owners = await download();
    expect(owners.size).toBe(ROWS);
    const fresh = [...owners].filter(([, email]) => email === 'new@example.com').map(([name]) => name);
    expect(fresh.length % CHUNK).toBe(0);
    const first = keys
      .slice(0, fresh.length)
      .map(({ integrationId, identity }) => nameOf(integrationId, identity));
    expect(checksum(fresh)).toBe(checksum(first));
    written.push(fresh.length);
  }
  expect(written.at(-1)).toBe(ROWS);
  expect(written).toEqual([...written].sort((a, b) => a - b));
}, 120_000);

test('an export while every row changes repeatedly contains the rows of one point in time', async () => {
  await insertIdentities(
    stack.database,
    keys.map((key) => ({ ...key, email: 'g0@example.com' })),
  );
  let stop = false;
  const changing = (async () => {
    for (let generation = 1; !stop; generation++) {
      const email = `g${generation}@example.com`;
      await stack.database.transaction(async (transaction) => {
        for (const integration_id of [1, 2, 3])
          await transaction('identities').where({ integration_id }).update({ email });
      });
    }
  })();
  const moments = new Set<string>();
  for (let round = 0; round < 6; round++) {
    const owners = await download();
    expect(owners.size).toBe(ROWS);
    const generations = new Set(owners.values());
    expect(generations.size).toBe(1);
    for (const generation of generations) moments.add(generation);
  }
  stop = true;
  await changing;
  expect(moments.size).toBeGreaterThan(1);
}, 120_000);
