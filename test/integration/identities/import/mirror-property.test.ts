import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { type Crash, crashing, type ImportDesk, openImportDesk } from '../../../support/api/import-desk.js';
import { cases, enoughTime } from '../../../support/effort.js';
import { liveInOrder, MirrorOracle, type OracleRow, type OracleUpload } from './mirror-oracle.js';

let desk: ImportDesk;
beforeAll(async () => {
  desk = await openImportDesk();
});
afterAll(() => desk.close());

jest.setTimeout(enoughTime(180_000));

/** Three account systems, so that mirrored ones are before, between and after the others. */
const integrationId: fc.Arbitrary<number> = fc.constantFrom(1, 2, 3);
const identity = fc.constantFrom('a', 'ab', 'b', 'A', '\uE000', '😀');
const email = fc.constantFrom('x@example.com', 'y@example.com');

interface Upload {
  action: 'assert' | 'remove';
  dryRun: boolean;
  rows: OracleRow[];
  mirrored: number[];
  maxRemovals: number;
}

const rows = (owner: fc.Arbitrary<string | null>, id: fc.Arbitrary<number> = integrationId) =>
  fc.array(fc.record({ integrationId: id, identity, email: owner }), {
    minLength: 1,
    maxLength: 10,
    size: 'max',
  });
const plain: fc.Arbitrary<Upload> = fc.record({
  action: fc.constant('assert' as const),
  dryRun: fc.constant(false),
  rows: rows(email),
  mirrored: fc.constant([]),
  maxRemovals: fc.constant(0),
});
const removal: fc.Arbitrary<Upload> = fc.record({
  action: fc.constant('remove' as const),
  dryRun: fc.constant(false),
  rows: rows(fc.constant(null)),
  mirrored: fc.constant([]),
  maxRemovals: fc.constant(0),
});
const mirror = (maxRemovals: fc.Arbitrary<number>): fc.Arbitrary<Upload> =>
  fc.subarray<number>([1, 2, 3], { minLength: 1 }).chain((mirrored) =>
    fc.record({
      action: fc.constant('assert' as const),
      dryRun: fc.constantFrom(false, false, false, true),
      rows: rows(email, fc.constantFrom(...mirrored)),
      mirrored: fc.constant(mirrored),
      maxRemovals,
    }),
  );

interface Delivery {
  chunkRows: number;
  lanes: number;
  crash: Crash | null;
}
const crash: fc.Arbitrary<Crash> = fc.record({
  transaction: fc.nat({ max: 6 }),
  at: fc.constantFrom('before', 'rolled back', 'committed', 'closing', 'deadlock'),
});
const delivery = (how: fc.Arbitrary<Crash | null>): fc.Arbitrary<Delivery> =>
  fc.record({ chunkRows: fc.integer({ min: 1, max: 5 }), lanes: fc.integer({ min: 1, max: 3 }), crash: how });

/** An upload and its deliveries: some crash, some run twice at the same time, and the last one completes. */
interface Task {
  upload: Upload;
  rounds: Delivery[][];
}
const task = (maxRemovals: fc.Arbitrary<number>): fc.Arbitrary<Task> =>
  fc.record({
    upload: fc.oneof(
      { weight: 3, arbitrary: mirror(maxRemovals) },
      { weight: 3, arbitrary: plain },
      { weight: 1, arbitrary: removal },
    ),
    rounds: fc
      .tuple(
        fc.array(fc.array(delivery(crash), { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
        fc.array(delivery(fc.constant(null)), { minLength: 1, maxLength: 2 }),
      )
      .map(([broken, whole]) => [...broken, whole]),
  });

const accept = ({ action, dryRun, rows: lines, mirrored, maxRemovals }: Upload): Promise<string> => {
  const content = lines.map((row) => `${row.email ?? ''},${row.integrationId},${row.identity}\n`).join('');
  const mirrorOf = mirrored.length > 0 ? { mirror: { integrationIds: mirrored, maxRemovals } } : {};
  const options = { format: 'csv', onError: 'abort', action, dryRun, ...mirrorOf } as const;
  return desk.accept({ ...options, content: `email,integrationId,identity\n${content}` });
};

async function workOff(id: string, rounds: Delivery[][]): Promise<void> {
  for (const round of rounds) {
    await Promise.allSettled(
      round.map(({ chunkRows, lanes, crash: how }) =>
        desk.deliver(id, {
          ...(how ? crashing(desk.database, how) : {}),
          settings: { ...desk.settings, importChunkRows: chunkRows, importLanes: lanes },
        }),
      ),
    );
  }
}

async function live(): Promise<string[]> {
  const found = await desk.database('identities').whereNotNull('email');
  return found.map((row) => `${row.integration_id} ${row.identity} ${row.email}`).sort();
}

async function clear(): Promise<void> {
  await desk.database('identities').delete();
  await desk.database('identity_mirrors').where('integration_id', '>', 0).delete();
  await desk.database('identity_mirrors').update({ acceptance: 0 });
}

async function oracleUpload(
  id: string,
  { rows: lines, mirrored, maxRemovals }: Upload,
): Promise<OracleUpload> {
  const { acceptance } = await desk.find(id);
  return { acceptance: acceptance as number, rows: lines, mirrored, maxRemovals };
}

test('mirrors and other uploads one after another, in any order, have the table and counts of the model', async () => {
  await fc.assert(
    fc
      .asyncProperty(
        fc.array(task(fc.constantFrom(0, 1, 2, 100)), { minLength: 1, maxLength: 5 }).chain((tasks) =>
          fc.record({
            tasks: fc.constant(tasks),
            order: fc.shuffledSubarray([...tasks.keys()], { minLength: tasks.length }),
          }),
        ),
        async ({ tasks, order }) => {
          const ids: string[] = [];
          for (const { upload } of tasks) ids.push(await accept(upload));
          const oracle = new MirrorOracle();
          const done: OracleUpload[] = [];
          for (const at of order) {
            const { upload, rounds } = tasks[at] as Task;
            const id = ids[at] as string;
            await workOff(id, rounds);
            const model = await oracleUpload(id, upload);
            const counts = (upload.dryRun ? oracle.clone() : oracle).process(model);
            const job = await desk.find(id);
            if (counts === null) {
              expect(job).toMatchObject({ state: 'failed', error: { code: 'too_many_removals' } });
            } else {
              if (!upload.dryRun) done.push(model);
              expect({ state: job.state, error: job.error }).toEqual({ state: 'completed', error: null });
              expect(job.counts).toEqual(expectedCounts(upload, counts));
            }
            expect(await live()).toEqual(oracle.live());
          }
          expect(oracle.live()).toEqual(liveInOrder(done));
        },
      )
      .afterEach(clear),
    { numRuns: cases(4) },
  );
});

function expectedCounts({ action, rows: lines, mirrored }: Upload, counts: Record<string, number>) {
  const { created, updated, unchanged, superseded, removed, notFound } = counts;
  const total = lines.length;
  if (action === 'remove') return { total, removed, notFound, superseded, rejected: 0 };
  return {
    total,
    created,
    updated,
    unchanged,
    ...(mirrored.length > 0 ? { removed } : {}),
    superseded,
    rejected: 0,
  };
}

test('mirrors and other uploads at the same time leave what the order of acceptance gives, and count each account once', async () => {
  await fc.assert(
    fc
      .asyncProperty(fc.array(task(fc.constant(1_000)), { minLength: 2, maxLength: 5 }), async (tasks) => {
        const ids: string[] = [];
        for (const { upload } of tasks) ids.push(await accept(upload));
        await Promise.all(tasks.map(({ rounds }, at) => workOff(ids[at] as string, rounds)));
        const models: OracleUpload[] = [];
        let owned = 0;
        for (const [at, { upload }] of tasks.entries()) {
          const job = await desk.find(ids[at] as string);
          expect({ state: job.state, error: job.error }).toEqual({ state: 'completed', error: null });
          if (upload.dryRun) continue;
          models.push(await oracleUpload(job.id, upload));
          const { created = 0, removed = 0 } = job.counts as Record<string, number>;
          owned += created - removed;
        }
        expect(await live()).toEqual(liveInOrder(models));
        expect(owned).toBe((await live()).length);
      })
      .afterEach(clear),
    { numRuns: cases(3) },
  );
});
