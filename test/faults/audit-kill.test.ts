import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { verifyChains } from '../../db/audit/verify-chain.js';
import { shortOrLong } from '../support/faults/effort.js';
import { end, type Processes, startProcesses } from '../support/servers/processes.js';
import { until } from '../support/until.js';

const KILLS = shortOrLong(4, 40);
const CLIENTS = 8;

let muster: Processes;
let api: Processes['api'];
beforeAll(async () => {
  muster = await startProcesses({ workers: 0 });
  api = muster.api;
}, 180_000);
afterAll(() => muster?.stop(), 60_000);

const create = (name: string) => muster.client.json('POST', '/v2/keys', { name, scopes: ['admin'] });
const isReady = async () => (await fetch(`${muster.url}/readyz/intake`).catch(() => null))?.status === 200;

const countKeys = async () => (await muster.database('api_keys').pluck('id')).length;

async function startAgain(): Promise<void> {
  api = muster.start('api');
  await until('the API is ready', isReady, 90_000);
}

/** Returns the keys without an entry, and the entries without a key. */
async function unmatched() {
  const keys = new Set(await muster.database('api_keys').pluck('id'));
  const rows = await muster.database('audit_entries').where({ action: 'createKey' }).select('object_id');
  const ids = rows.map((row) => row.object_id ?? '');
  return { keys: [...keys].filter((id) => !ids.includes(id)), entries: ids.filter((id) => !keys.has(id)) };
}

test('an API that is killed between a change and its commit leaves neither the change nor its entry', async () => {
  const before = await muster.database('api_keys').pluck('id');
  const lock = await muster.database.transaction();
  await lock('audit_heads').forUpdate();
  // The key is inserted, and its entry waits for a head.
  const waiting = create('neither').catch(() => 'broken off');
  await until('the request waits for a head', async () => {
    const [rows] = await muster.database.raw('SHOW FULL PROCESSLIST');
    return rows.some(({ Info }: { Info: string | null }) => Info?.startsWith('SELECT sequence, hash'));
  });
  await end(api, 'SIGKILL');
  await lock.commit();
  expect(await waiting).toBe('broken off');
  await startAgain();
  expect(await muster.database('api_keys').pluck('id')).toEqual(before);
  expect(await unmatched()).toEqual({ keys: [], entries: [] });
}, 240_000);

test('an API that is killed at any time leaves both or neither, and the chains hold', async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    let isOver = false;
    const clients = Array.from({ length: CLIENTS }, async (_, at) => {
      for (let n = 0; !isOver; n++) await create(`${kill}/${at}/${n}`).catch(() => sleep(5));
    });
    const before = await countKeys();
    await until('keys are made', async () => (await countKeys()) >= before + CLIENTS);
    await sleep(Math.random() * 100);
    await end(api, 'SIGKILL');
    isOver = true;
    await Promise.all(clients);
    await startAgain();
  }
  expect(await countKeys()).toBeGreaterThan(KILLS * CLIENTS);
  // The server may still commit what it had received.
  await until('all is matched', async () => Object.values(await unmatched()).flat().length === 0);
  expect((await verifyChains(muster.database)).faults).toEqual([]);
}, 600_000);
