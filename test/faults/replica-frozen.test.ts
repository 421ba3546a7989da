import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { beatForReplicas } from '../../db/client/replica/replica.js';
import type { WorkerServices } from '../../workers/run/services.js';
import { Client } from '../support/api/client.js';
import { fillIdentities } from '../support/api/identities.js';
import { balanceOfCounts, Fault } from '../support/faults/fault.js';
import { startFreezableDatabase } from '../support/faults/freezable-proxy.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { type Stack, startStack } from '../support/servers/stack.js';
import { theRow } from '../support/the-row.js';
import { until } from '../support/until.js';

/** More than fits into the buffers on the way, so that the export is still under way when the replica freezes. */
const REPLICA_ROWS = 300_000;
const PRIMARY_ROWS = 1_000;
let stack: Stack;
let replica: TestDatabase;
let frozen: Awaited<ReturnType<typeof startFreezableDatabase>>;
beforeAll(async () => {
  replica = await createTestDatabase();
  await fillIdentities(replica.database, REPLICA_ROWS);
  frozen = await startFreezableDatabase(replica.url);
  stack = await startStack({ env: { DATABASE_READ_URL: frozen.url, DATABASE_READ_MAX_LAG_S: '5' } });
  await fillIdentities(stack.database, PRIMARY_ROWS);
});
afterAll(async () => {
  frozen.stop();
  await stack.stop();
  await replica.drop();
});

test('an export whose replica freezes is read from the primary, in one attempt', async () => {
  const client = await Client.of(stack);
  const { files } = stack;
  const worker = stack.worker as WorkerServices;
  let isFrozen = false;
  worker.files = new Proxy(files, {
    get: (target, name) =>
      name === 'write'
        ? async (key: string, source: Readable) => {
            if (!isFrozen) await once(source, 'readable');
            frozen.freeze();
            isFrozen = true;
            return target.write(key, source);
          }
        : Reflect.get(target, name).bind(target),
  });
  await until('reads go to the replica', async () => {
    await beatForReplicas(stack.database);
    const beat = await theRow(stack.database('replica_heartbeat').first());
    await replica.database('replica_heartbeat').insert(beat).onConflict().merge();
    const list = await client.get('/v2/developers/identities?pageSize=1&includeTotal=true');
    return list.body.page.total === REPLICA_ROWS;
  });
  const { body } = await client.json('POST', '/v2/developers/identities/exports', {});
  await until('the replica is frozen', () => isFrozen);
  const { data } = (await client.jobEnd(body.jobId)).body;
  expect(data).toMatchObject({ state: 'completed', attempts: 1, counts: { rows: PRIMARY_ROWS } });
  const { text } = await client.get(data.links.file);
  const fault = new Fault('replica frozen in the middle of an export', 'rows');
  fault.provoked();
  const balance = fault.add(balanceOfCounts(PRIMARY_ROWS, text.trimEnd().split('\n').length - 1));
  fault.report();
  expect([balance.lost, balance.doubled]).toEqual([0, 0]);
});
