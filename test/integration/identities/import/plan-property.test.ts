import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type ChangesKind,
  type IdentityChange,
  listParts,
  readPart,
} from '../../../../db/identities/import-changes.js';
import type { IdentityKey } from '../../../../db/identities/key-order.js';
import { readChanges } from '../../../../workers/identities/changes/change-rows.js';
import { type Crash, crashing, type ImportDesk, openImportDesk } from '../../../support/api/import-desk.js';
import { cases, enoughTime } from '../../../support/effort.js';
import { keyOf } from './import-oracle.js';

let desk: ImportDesk;
beforeAll(async () => {
  desk = await openImportDesk();
});
afterAll(() => desk.close());

jest.setTimeout(enoughTime(180_000));

const key = fc.record({
  integrationId: fc.constantFrom(1, 2),
  identity: fc.constantFrom('a', 'b, "c"', 'd', '\uE000', '😀'),
});
const email = fc.constantFrom('x@example.com', 'y@example.com', '"ox"@example.com');
const rows = fc.array(fc.tuple(key, email), { minLength: 1, maxLength: 8, size: 'max' });
const upload = fc.record({ what: fc.constantFrom('assert', 'assert', 'mirror', 'remove'), rows });
type Upload = typeof upload extends fc.Arbitrary<infer Value> ? Value : never;

const crash: fc.Arbitrary<Crash> = fc.record({
  transaction: fc.nat({ max: 5 }),
  at: fc.constantFrom('before', 'rolled back', 'committed', 'closing', 'deadlock', 'lost'),
});
const delivery = fc.record({ lanes: fc.integer({ min: 1, max: 3 }), crash });
const deliveries = fc.array(fc.array(delivery, { minLength: 1, maxLength: 2 }), { maxLength: 2 });
type Rounds = typeof deliveries extends fc.Arbitrary<infer Value> ? Value : never;

/** Some deliveries that are interrupted, two of them at the same time, and one that completes. */
async function workOff(id: string, rounds: Rounds = []): Promise<string> {
  const settings = { ...desk.settings, importChunkRows: 2 };
  for (const round of rounds) {
    await Promise.allSettled(
      round.map(({ lanes, crash: how }) =>
        desk.deliver(id, { ...crashing(desk.database, how), settings: { ...settings, importLanes: lanes } }),
      ),
    );
  }
  // A plan that is refused fails its job.
  await desk.deliver(id, { settings }).catch((error: Error) => {
    if (error.message !== 'plan_conflicts') throw error;
  });
  return id;
}

const accept = ({ what, rows: given }: Upload, dryRun: boolean): Promise<string> =>
  desk.accept({
    content: JSON.stringify(
      given.map(([of, owner]) => ({ ...of, ...(what === 'remove' ? {} : { email: owner }) })),
    ),
    format: 'json',
    action: what === 'remove' ? 'remove' : 'assert',
    onError: 'abort',
    dryRun,
    ...(what === 'mirror' ? { mirror: { integrationIds: [1, 2], maxRemovals: 100 } } : {}),
  });

const run = async (one: Upload, dryRun = false): Promise<string> => workOff(await accept(one, dryRun));

/** The owners of accounts that have one. A tombstone and an account that was never stored are the same to a reader. */
async function owners(): Promise<Map<string, string>> {
  const stored = await desk
    .database('identities')
    .whereNotNull('email')
    .select('integration_id', 'identity', 'email');
  return new Map(
    stored.map((row) => [
      keyOf({ integrationId: Number(row.integration_id), identity: row.identity }),
      row.email as string,
    ]),
  );
}

async function fileOf(id: string, kind: ChangesKind = 'changes'): Promise<IdentityChange[]> {
  const changes: IdentityChange[] = [];
  for (const part of await listParts(desk.database, id, kind)) {
    const text = gunzipSync((await readPart(desk.database, id, kind, part)) as Buffer).toString();
    changes.push(...readChanges(text));
  }
  return changes;
}

const setTo = (table: Map<string, string>, account: string, owner: string | null): void => {
  if (owner === null) table.delete(account);
  else table.set(account, owner);
};

test('applying a plan writes what it says, and names exactly the accounts that have changed, through any crash', async () => {
  const between = fc.array(upload, { maxLength: 2 });
  const given = fc.tuple(
    fc.array(upload, { maxLength: 2 }),
    upload,
    between,
    fc.boolean(),
    fc.boolean(),
    deliveries,
  );
  await fc.assert(
    fc
      .asyncProperty(given, async ([first, planned, others, isRevert, isWhole, rounds]) => {
        for (const one of first) await run(one);
        // A revert of what was planned is a plan too.
        const planId = isRevert
          ? await workOff(await desk.acceptRevert(await run(planned), true))
          : await run(planned, true);
        const plan = (await fileOf(planId)).filter(({ before, after }) => before !== after);
        for (const one of others) await run(one);
        const expected = await owners();
        // A revert also leaves what a later upload has asserted with the same owner, or a later mirror with none.
        const isAsserted = isRevert ? await assertedAfter(planId) : () => false;
        const conflicts = plan.filter((change) => {
          const owner = expected.get(keyOf(change)) ?? null;
          return owner !== change.after && (isAsserted(change) || owner !== change.before);
        });
        const isRefused = isWhole && conflicts.length > 0;
        if (!isRefused)
          for (const change of plan)
            if (!conflicts.includes(change)) setTo(expected, keyOf(change), change.after);
        const id = await workOff(await desk.acceptApply(planId, isWhole ? 'abort' : 'skip'), rounds);
        expect(await owners()).toEqual(expected);
        const { state, error, counts } = await desk.find(id);
        if (isRefused) {
          expect([state, error?.code, error?.errorCount]).toEqual([
            'failed',
            'plan_conflicts',
            conflicts.length,
          ]);
          return;
        }
        expect(state).toBe('completed');
        expect(counts).toMatchObject({ total: plan.length, conflicts: conflicts.length });
        expect((await fileOf(id, 'conflicts')).map(keyOf).sort()).toEqual(conflicts.map(keyOf).sort());
      })
      .afterEach(() => desk.database('identities').delete()),
    { numRuns: cases(16) },
  );
});

/** Returns whether an upload or a mirror has asserted an account that was accepted after the one that a dry run would revert. */
async function assertedAfter(planId: string): Promise<(key: IdentityKey) => boolean> {
  const acceptance = (await desk.find(planId)).acceptance ?? 0;
  const rows = await desk
    .database('identities')
    .where('asserted_by', '>', acceptance)
    .select('integration_id', 'identity');
  const later = new Set(
    rows.map((row) => keyOf({ integrationId: Number(row.integration_id), identity: row.identity })),
  );
  const mirrors = await desk
    .database('identity_mirrors')
    .where('acceptance', '>', acceptance)
    .pluck('integration_id');
  const mirrored = new Set(mirrors.map(Number));
  return (key) => mirrored.has(key.integrationId) || later.has(keyOf(key));
}
