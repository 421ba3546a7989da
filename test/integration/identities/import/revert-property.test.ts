import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { type ChangesKind, listParts, readPart } from '../../../../db/identities/import-changes.js';
import { readChanges } from '../../../../workers/identities/changes/change-rows.js';
import { type Crash, crashing, type ImportDesk, openImportDesk } from '../../../support/api/import-desk.js';
import { cases, enoughTime } from '../../../support/effort.js';
import { keyOf, type OracleRow } from './import-oracle.js';
import { RevertOracle } from './revert-oracle.js';

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
const upload = fc.record({
  what: fc.constantFrom('assert' as const, 'assert' as const, 'remove' as const),
  rows: fc.array(fc.tuple(key, email), { minLength: 1, maxLength: 8, size: 'max' }),
  /** How many uploads that were accepted later are processed first. */
  delay: fc.constantFrom(0, 0, 0, 1, 2),
});
/** `of` selects a job that has been processed. */
const revert = fc.record({
  what: fc.constant('revert' as const),
  of: fc.nat(),
  dryRun: fc.constantFrom(false, false, true),
});

const crash: fc.Arbitrary<Crash> = fc.record({
  transaction: fc.nat({ max: 5 }),
  at: fc.constantFrom('before', 'rolled back', 'committed', 'closing', 'deadlock', 'lost'),
});
const delivery = fc.record({
  chunkRows: fc.integer({ min: 1, max: 4 }),
  lanes: fc.integer({ min: 1, max: 3 }),
  crash,
});
const deliveries = fc.array(fc.array(delivery, { minLength: 1, maxLength: 2 }), { maxLength: 2 });
const step = fc.tuple(fc.oneof(upload, upload, revert), deliveries);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const rowsOf = ({ what, rows }: { what: 'assert' | 'remove'; rows: [Omit<OracleRow, 'email'>, string][] }) =>
  rows.map(([of, owner]) => ({ ...of, email: what === 'remove' ? null : owner }));

/** Some deliveries that are interrupted, two of them at the same time, and one that completes. */
async function workOff(id: string, [, rounds]: Step): Promise<void> {
  for (const round of rounds) {
    await Promise.allSettled(
      round.map(({ chunkRows, lanes, crash: how }) =>
        desk.deliver(id, {
          ...crashing(desk.database, how),
          settings: { ...desk.settings, importChunkRows: chunkRows, importLanes: lanes },
        }),
      ),
    );
  }
  await desk.deliver(id, { settings: { ...desk.settings, importChunkRows: 2 } });
}

async function owners(): Promise<Map<string, string | null>> {
  const rows = await desk.database('identities').select('integration_id', 'identity', 'email');
  return new Map(
    rows.map((row) => [
      keyOf({ integrationId: Number(row.integration_id), identity: row.identity }),
      row.email,
    ]),
  );
}

/** The accounts in a file of a job, which may contain each only once. */
async function accountsIn(id: string, kind: ChangesKind): Promise<string[]> {
  const accounts: string[] = [];
  for (const part of await listParts(desk.database, id, kind)) {
    const text = gunzipSync((await readPart(desk.database, id, kind, part)) as Buffer).toString();
    for (const change of readChanges(text)) accounts.push(keyOf(change));
  }
  return accounts.sort();
}

/** Processes the steps on the desk and in the model, and compares them after each. */
async function compare(steps: readonly Step[]): Promise<void> {
  const oracle = new RevertOracle();
  const done: string[] = [];
  for (const { step: one, id, number } of await inOrder(steps)) {
    const [{ what }] = one;
    if (what === 'revert') {
      if (done.length === 0) continue;
      const { of, dryRun } = one[0] as { of: number; dryRun: boolean };
      const target = of % done.length;
      const revertId = await desk.acceptRevert(done[target] as string, dryRun);
      await workOff(revertId, one);
      const before = new Map(oracle.owners);
      const { restored, skipped } = oracle.revert(dryRun ? -1 : done.length, target);
      if (dryRun) {
        // The model has reverted it; a dry run changes nothing.
        for (const [account, owner] of before) oracle.owners.set(account, owner);
      } else done.push(revertId);
      const { state, counts: found } = await desk.find(revertId);
      // A dry run also counts the accounts that would lose their owner.
      const { removed = 0, ...counts } = found ?? {};
      expect(removed).toBeLessThanOrEqual(dryRun ? restored.length : 0);
      expect({ state, counts }).toEqual({
        state: 'completed',
        counts: {
          total: restored.length + skipped.length,
          restored: restored.length,
          skipped: skipped.length,
        },
      });
      expect(await accountsIn(revertId, 'changes')).toEqual(restored.sort());
      expect(await accountsIn(revertId, 'skipped')).toEqual(skipped.sort());
    } else {
      await workOff(id as string, one);
      oracle.apply(done.length, number, rowsOf(one[0] as never));
      done.push(id as string);
    }
    expect(await owners()).toEqual(oracle.owners);
  }
}

/** Accepts all uploads in their order, and returns the steps in the order in which they are processed. */
async function inOrder(steps: readonly Step[]) {
  const accepted = [];
  for (const [number, one] of steps.entries()) {
    const id = one[0].what === 'revert' ? null : await accept(one[0] as never);
    const delay = one[0].what === 'revert' ? 0 : one[0].delay;
    accepted.push({ step: one, id, number, at: number + delay + 0.5 * Math.sign(delay) });
  }
  return accepted.sort((a, b) => a.at - b.at);
}

const accept = (given: Parameters<typeof rowsOf>[0]): Promise<string> =>
  desk.accept({
    content: JSON.stringify(rowsOf(given)),
    format: 'json',
    action: given.what,
    onError: 'abort',
    dryRun: false,
  });

test('a revert restores what no later upload has asserted, with other uploads in between and through any crash', async () => {
  await fc.assert(
    fc
      .asyncProperty(fc.array(step, { minLength: 2, maxLength: 7, size: 'max' }), compare)
      .afterEach(() => desk.database('identities').delete()),
    { numRuns: cases(8) },
  );
});

test('a revert takes back all of the last upload, its own revert brings it back, and a second revert of the upload restores nothing', async () => {
  const whole = fc.tuple(upload, upload, deliveries);
  await fc.assert(
    fc
      .asyncProperty(whole, async ([first, second, rounds]) => {
        const run = async (id: string) => {
          await workOff(id, [null, rounds] as never);
          return id;
        };
        // A tombstone and an account that was never stored are the same to a reader.
        const visible = async () => [...(await owners())].filter(([, owner]) => owner !== null).sort();
        await run(await accept(first as never));
        const before = await visible();
        const id = await run(await accept(second as never));
        const after = await visible();
        const reverted = await run(await desk.acceptRevert(id));
        expect(await visible()).toEqual(before);
        const again = await run(await desk.acceptRevert(id));
        expect((await desk.find(again)).counts).toMatchObject({ restored: 0 });
        await run(await desk.acceptRevert(reverted));
        expect(await visible()).toEqual(after);
      })
      .afterEach(() => desk.database('identities').delete()),
    { numRuns: cases(4) },
  );
});
