import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '../../../../db/client/connect.js';
import { inTransaction } from '../../../../db/client/transaction.js';
import { insertIdentities } from '../../../../db/identities/upsert-identities.js';
import { readHistories } from '../../../support/api/identity-history.js';
import {
  crashing,
  type DeskUpload,
  type ImportDesk,
  openImportDesk,
} from '../../../support/api/import-desk.js';
import { theRow } from '../../../support/the-row.js';

let desk: ImportDesk;
beforeAll(async () => {
  desk = await openImportDesk();
});
afterAll(() => desk.close());
beforeEach(() => desk.database('identities').delete());

const upload: DeskUpload = {
  content: 'email,integrationId,identity\nann@example.com,1,a\nbob@example.com,1,b\n',
  format: 'csv',
  action: 'assert',
  onError: 'abort',
  dryRun: false,
};
const settings = () => ({ ...desk.settings, importChunkRows: 1, importLanes: 1 });

/** A database whose first transaction waits at its start until it is released. */
function held(database: Database) {
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isHeld: () => void = () => {};
  const reached = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const transaction = (work: never, ...rest: never[]) => {
    isHeld();
    return gate.then(() => database.transaction(work, ...rest));
  };
  const waiting = new Proxy(database, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name)),
  });
  return { database: waiting, reached, letGo };
}

test('a stalled worker that continues long after another one has finished its job writes nothing', async () => {
  const id = await desk.accept(upload);
  const sleeper = held(desk.database);
  const asleep = desk.deliver(id, { database: sleeper.database, settings: settings() });
  await sleeper.reached;
  await desk.deliver(id, { settings: settings() });
  expect((await desk.find(id)).state).toBe('completed');
  // What upkeep does in the meantime: it deletes the upload's ledger and the tombstone of a later removal.
  await desk.database('job_steps').where({ job_id: id }).delete();
  await desk.database('identities').where({ identity: 'a' }).delete();
  sleeper.letGo();
  await asleep;
  expect(await desk.database('identities').select('identity')).toEqual([{ identity: 'b' }]);
  expect(await desk.database('job_steps').where({ job_id: id })).toEqual([]);
  expect(await desk.find(id)).toMatchObject({ state: 'completed', counts: { total: 2, created: 2 } });
});

test('a commit whose response is lost counts once and costs no attempt', async () => {
  const id = await desk.accept(upload);
  await desk.deliver(id, {
    ...crashing(desk.database, { transaction: 0, at: 'lost' }),
    settings: settings(),
  });
  expect(await desk.find(id)).toMatchObject({
    state: 'completed',
    attempts: 1,
    counts: { total: 2, created: 2 },
  });
});

test('new accounts have a history, also if the first chunk of their upload creates none', async () => {
  await desk.deliver(
    await desk.accept({ ...upload, content: 'email,integrationId,identity\nann@example.com,1,a\n' }),
  );
  const id = await desk.accept(upload);
  await desk.deliver(id, { settings: settings() });
  expect(await readHistories(desk.database, await desk.find(id))).toEqual([
    { key: '1 b', before: null, after: 'bob@example.com' },
  ]);
});

test('a worker that resumes a job keeps its first plan, whatever its own settings', async () => {
  const id = await desk.accept(upload);
  await desk
    .deliver(id, { ...crashing(desk.database, { transaction: 0, at: 'committed' }), settings: settings() })
    .catch(() => {});
  await desk.deliver(id, { settings: { ...desk.settings, importChunkRows: 100, importLanes: 2 } });
  expect(
    await desk.database('job_steps').where({ job_id: id }).orderBy('step').select('step', 'row_count'),
  ).toEqual([
    { step: 0, row_count: 1 },
    { step: 1, row_count: 1 },
  ]);
  expect(await desk.find(id)).toMatchObject({ state: 'completed', counts: { total: 2, created: 2 } });
});

test.each([
  ['a plan of another release', { plan: JSON.stringify({ version: 0, chunkRows: 1 }) }, /another release/],
  ['a chunk with other rows', {}, /step 0 has other rows/],
])(
  'an upload that does not match the ledger fails with `resume_mismatch`, and nothing more is written: %s',
  async (_, change, message) => {
    const id = await desk.accept(upload);
    await desk
      .deliver(id, { ...crashing(desk.database, { transaction: 0, at: 'committed' }), settings: settings() })
      .catch(() => {});
    await desk
      .database('job_steps')
      .where({ job_id: id })
      .update({ checksum: Buffer.alloc(8) });
    if (Object.keys(change).length > 0) await desk.database('jobs').where({ id }).update(change);
    await expect(desk.deliver(id, { settings: settings() })).rejects.toThrow('resume_mismatch');
    expect(await desk.find(id)).toMatchObject({
      state: 'failed',
      error: { code: 'resume_mismatch', message: expect.stringMatching(message) },
    });
    expect(await desk.database('identities').select('identity')).toEqual([{ identity: 'a' }]);
  },
);

test('if any of the statements that insert new accounts fails, nothing of their transaction is stored', async () => {
  const { database } = desk;
  const rows = Array.from({ length: 2_500 }, (_, at) => ({
    integrationId: 1,
    identity: `account-${String(at).padStart(4, '0')}`,
    email: 'ann@example.com',
  }));
  const insert = () => inTransaction(database, (begun) => insertIdentities(begun, rows, 1, true));
  // One in each of the three statements.
  for (const at of [500, 1_500, 2_499]) {
    const { integrationId, identity } = rows[at] as (typeof rows)[number];
    await database('identities').insert({ integration_id: integrationId, identity, asserted_by: 1 });
    await expect(insert()).rejects.toMatchObject({ code: 'ER_DUP_ENTRY' });
    expect(await database('identities').pluck('identity')).toEqual([identity]);
    await database('identities').delete();
  }
  await insert();
  expect(await database('identities').orderBy('identity').pluck('identity')).toEqual(
    rows.map(({ identity }) => identity),
  );
});

test('an import that an earlier release has started goes on from the ledger of that release', async () => {
  const id = await desk.accept(upload);
  const stopped = crashing(desk.database, { transaction: 0, at: 'committed' });
  await desk.deliver(id, { ...stopped, settings: settings() }).catch(() => {});
  const { row_count, checksum, counts } = await theRow(desk.database('job_steps').where({ job_id: id }));
  await desk.database('job_steps').where({ job_id: id }).delete();
  const { notFound, restored: _, skipped: __, conflicts: ___, ...names } = JSON.parse(counts);
  const chunk = { job_id: id, chunk: 0, row_count, checksum, not_found: notFound, ...names };
  await desk.database('import_chunks').insert({ ...chunk, changes_kept: 1 });
  await desk.deliver(id, { settings: settings() });
  expect(await desk.find(id)).toMatchObject({
    state: 'completed',
    params: { version: 3 },
    counts: { total: 2, created: 2, unchanged: 0 },
  });
  expect(await desk.database('import_chunks').where({ job_id: id })).toEqual([]);
});
