import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { listParts, readPart } from '../../../../db/identities/import-changes.js';
import type { Job } from '../../../../db/jobs/jobs.js';
import { readChanges } from '../../../../workers/identities/changes/change-rows.js';
import { entryLines, readHistories } from '../../../support/api/identity-history.js';
import {
  type Crash,
  crashing,
  type DeskUpload,
  type ImportDesk,
  openImportDesk,
} from '../../../support/api/import-desk.js';
import { cases, enoughTime } from '../../../support/effort.js';
import {
  apply,
  changesBy,
  keyOf,
  type OracleChange,
  type OracleCounts,
  type OracleRow,
  type Table,
  winners,
} from './import-oracle.js';

let desk: ImportDesk;
beforeAll(async () => {
  desk = await openImportDesk();
});
afterAll(() => desk.close());
beforeEach(clear);

jest.setTimeout(enoughTime(120_000));

/** Few keys, so that uploads share them. Some are prefixes of others, and some pairs are ordered differently by UTF-8 and UTF-16. */
const key = fc.record({
  integrationId: fc.constantFrom(1, 1, 2 ** 53 - 1),
  identity: fc.constantFrom('a', 'ab', 'a b', 'A', '\uE000', '😀'),
});
const email = fc.constantFrom('x@example.com', 'y@example.com', 'é@example.com');
const goodRow: fc.Arbitrary<OracleRow> = fc.tuple(key, email).map(([of, owner]) => ({ ...of, email: owner }));
const badLine = fc.constantFrom(
  'x@example.com,one,a',
  'x@example.com,1',
  ',1,a',
  'nobody,1,"a\nb"',
  '"x@example.com",1,',
);

interface Upload extends Omit<DeskUpload, 'content'> {
  /** A valid row, or the text of an invalid one. */
  lines: (OracleRow | string)[];
}

const csv: fc.Arbitrary<Upload> = fc.record({
  format: fc.constant('csv' as const),
  action: fc.constant('assert' as const),
  onError: fc.constantFrom('abort' as const, 'continue' as const, 'continue' as const),
  dryRun: fc.constantFrom(false, false, false, true),
  lines: fc.array(fc.oneof({ weight: 12, arbitrary: goodRow }, { weight: 1, arbitrary: badLine }), {
    minLength: 1,
    maxLength: 14,
    size: 'max',
  }),
});
const json: fc.Arbitrary<Upload> = fc.record({
  format: fc.constant('json' as const),
  action: fc.constant('assert' as const),
  onError: fc.constant('abort' as const),
  dryRun: fc.constantFrom(false, false, true),
  lines: fc.array(goodRow, { minLength: 1, maxLength: 10, size: 'max' }),
});
const removal: fc.Arbitrary<Upload> = fc.record({
  format: fc.constantFrom('csv' as const, 'json' as const),
  action: fc.constant('remove' as const),
  onError: fc.constant('abort' as const),
  dryRun: fc.constant(false),
  lines: fc.array(
    key.map((of) => ({ ...of, email: null })),
    { minLength: 1, maxLength: 8, size: 'max' },
  ),
});

interface Delivery {
  chunkRows: number;
  lanes: number;
  crash: Crash | null;
}

const delivery = (crash: fc.Arbitrary<Crash | null>): fc.Arbitrary<Delivery> =>
  fc.record({ chunkRows: fc.integer({ min: 1, max: 7 }), lanes: fc.integer({ min: 1, max: 3 }), crash });
const crash: fc.Arbitrary<Crash> = fc.record({
  transaction: fc.nat({ max: 5 }),
  at: fc.constantFrom('before', 'rolled back', 'committed', 'closing', 'deadlock', 'lost'),
});

/** An upload and its deliveries: some crash, some run twice at the same time, and the last one completes. */
interface Task {
  upload: Upload;
  rounds: Delivery[][];
}
const task: fc.Arbitrary<Task> = fc.record({
  upload: fc.oneof(
    { weight: 3, arbitrary: csv },
    { weight: 1, arbitrary: json },
    { weight: 1, arbitrary: removal },
  ),
  rounds: fc
    .tuple(
      fc.array(fc.array(delivery(crash), { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
      fc.array(delivery(fc.constant(null)), { minLength: 1, maxLength: 2 }),
    )
    .map(([broken, whole]) => [...broken, whole]),
});

const textOf = ({ format, action, lines }: Upload): string => {
  const names = ['email', 'integrationId', 'identity'].slice(
    action === 'remove' ? 1 : 0,
  ) as (keyof OracleRow)[];
  if (format === 'json') return JSON.stringify(lines, names);
  const cells = (line: OracleRow | string) =>
    typeof line === 'string' ? line : names.map((name) => line[name]).join();
  return `${[names.join(), ...lines.map(cells)].join('\n')}\n`;
};
/** The valid rows with their places: their lines in the file, or their indexes in the array. */
const placedRows = ({ format, lines }: Upload) => {
  let line = 2;
  return lines.flatMap((row, index) => {
    const place = format === 'json' ? index : line;
    line += typeof row === 'string' ? row.split('\n').length : 1;
    return typeof row === 'string' ? [] : [{ ...row, place }];
  });
};
const goodRows = ({ lines }: Upload) => lines.filter((line) => typeof line !== 'string');
const badRows = ({ lines }: Upload) => lines.filter((line) => typeof line === 'string').length;
const isRejected = (upload: Upload) => upload.onError === 'abort' && badRows(upload) > 0;
const writes = (upload: Upload) => !upload.dryRun && !isRejected(upload);

const accept = (upload: Upload) => desk.accept({ ...upload, content: textOf(upload) });

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

function expectEnd(job: Job, upload: Upload, counts: OracleCounts): void {
  const rejected = badRows(upload);
  if (isRejected(upload)) {
    expect(job).toMatchObject({ state: 'failed', error: { code: 'invalid_rows' }, counts: null });
    return;
  }
  const { created, updated, unchanged, superseded, removed, notFound } = counts;
  const total = upload.lines.length;
  expect(job.state).toBe(rejected > 0 ? 'completed_with_errors' : 'completed');
  expect(job.counts).toEqual(
    upload.action === 'remove'
      ? { total, removed, notFound, superseded, rejected }
      : { total, created, updated, unchanged, superseded, rejected },
  );
  const good = goodRows(upload);
  const repeats = good.length - new Set(good.map(keyOf)).size;
  expect(job.warnings.map(({ code, count }) => [code, count])).toEqual(
    repeats > 0 ? [['repeated_keys', repeats]] : [],
  );
}

/** What is stored, by key. */
async function stored() {
  const rows = await desk.database('identities');
  return new Map(
    rows.map((row) => [
      keyOf({ integrationId: Number(row.integration_id), identity: row.identity }),
      { ...row, email: row.email, assertedBy: Number(row.asserted_by) },
    ]),
  );
}

/** The recorded changes of a job, in the order of their file. */
async function recorded(id: string): Promise<OracleChange[]> {
  const changes: OracleChange[] = [];
  for (const part of await listParts(desk.database, id)) {
    const content = (await readPart(desk.database, id, 'changes', part)) as Buffer;
    const text = gunzipSync(content);
    expect([content.length, text.length]).toEqual([part.gzipBytes, part.textBytes]);
    for (const { integrationId, identity, ...change } of readChanges(text.toString()))
      changes.push({ key: keyOf({ integrationId, identity }), ...change });
  }
  return changes;
}

/** Expects the history of all jobs: what an earlier one has added stays when a later one changes the accounts again. */
async function expectHistory(entries: ReadonlyMap<Job, string[]>): Promise<void> {
  for (const [job, wanted] of entries)
    expect(entryLines(await readHistories(desk.database, job))).toEqual(wanted);
}

/** Expects the history of each account to lead from no owner to the one that is stored, from change to change. */
async function expectChains(): Promise<void> {
  const owners = new Map<string, string | null>();
  for (const { key: of, before, after } of await readHistories(desk.database)) {
    expect([of, before]).toEqual([of, owners.get(of) ?? null]);
    owners.set(of, after);
  }
  for (const [of, { email: owner }] of await stored())
    expect([of, owners.get(of) ?? null]).toEqual([of, owner]);
}

async function clear(): Promise<void> {
  for (const table of ['identities', 'identity_history', 'identity_uploads'])
    await desk.database(table).delete();
}

const byKey = (one: OracleChange, other: OracleChange): number => (one.key < other.key ? -1 : 1);

/** A time long ago. A row that still has it after an upload was not changed. */
const PAST = new Date('2001-01-01T00:00:00Z');
const isPast = (time: Date): boolean => time.getTime() === Date.UTC(2001, 0, 1);

async function expectTable(table: Table): Promise<void> {
  const found = [...(await stored())].map(([of, row]) => [
    of,
    row.email,
    row.assertedBy,
    !isPast(row.created_at),
    !isPast(row.updated_at),
  ]);
  const wanted = [...table].map(([of, known]) => [
    of,
    known.email,
    known.assertedBy,
    known.createdMoved,
    known.updatedMoved,
  ]);
  expect(found.sort()).toEqual(wanted.sort());
}

test('uploads one after another, in any order, have the table, times, counts, changes and history of applying row after row', async () => {
  await fc.assert(
    fc
      .asyncProperty(
        fc.array(task, { minLength: 1, maxLength: 4 }).chain(inSomeOrder),
        async ({ tasks, order }) => {
          const ids: string[] = [];
          for (const { upload } of tasks) ids.push(await accept(upload));
          const table: Table = new Map();
          const entries = new Map<Job, string[]>();
          for (const at of order) {
            const { upload, rounds } = tasks[at] as Task;
            await desk.database('identities').update({ created_at: PAST, updated_at: PAST });
            await workOff(ids[at] as string, rounds);
            const job = await desk.find(ids[at] as string);
            const acceptance = job.acceptance as number;
            const target = writes(upload) ? table : structuredClone(table);
            const rows = isRejected(upload) ? [] : goodRows(upload);
            const wanted = isRejected(upload) ? [] : placedRows(upload);
            const changes = changesBy(table, { acceptance, rows: wanted });
            expect((await recorded(job.id)).sort(byKey)).toEqual(changes.sort(byKey));
            await expectHistory(entries.set(job, upload.dryRun ? [] : entryLines(changes)));
            const counts = apply(target, { acceptance, action: upload.action, rows });
            if (target !== table) apply(table, { acceptance, action: upload.action, rows: [] });
            expectEnd(job, upload, counts);
            await expectTable(table);
          }
        },
      )
      .afterEach(clear),
    { numRuns: cases(9) },
  );
});

const inSomeOrder = (tasks: Task[]) =>
  fc
    .shuffledSubarray(
      tasks.map((_, at) => at),
      { minLength: tasks.length },
    )
    .map((order) => ({ tasks, order }));

test('uploads at the same time keep for each key what was accepted last, and the counts add up to the rows', async () => {
  await fc.assert(
    fc
      .asyncProperty(fc.array(task, { minLength: 2, maxLength: 4 }), async (tasks) => {
        const ids: string[] = [];
        for (const { upload } of tasks) ids.push(await accept(upload));
        await Promise.all(tasks.map(({ rounds }, at) => workOff(ids[at] as string, rounds)));
        const jobs = await Promise.all(ids.map((id) => desk.find(id)));
        const uploads = tasks.flatMap(({ upload }, at) =>
          writes(upload)
            ? [{ acceptance: jobs[at]?.acceptance as number, action: upload.action, rows: goodRows(upload) }]
            : [],
        );
        const found = [...(await stored())].map(([of, { email: owner, assertedBy }]) => [
          of,
          { email: owner, assertedBy },
        ]);
        expect(new Map(found as never)).toEqual(winners(uploads));
        await expectChains();
        for (const [at, job] of jobs.entries()) {
          const { upload } = tasks[at] as Task;
          if (isRejected(upload)) expect(job.state).toBe('failed');
          else expect(sumOf(job)).toBe(upload.lines.length);
        }
      })
      .afterEach(clear),
    { numRuns: cases(5) },
  );
});

function sumOf({ counts }: Job): number {
  const { total: _, ...parts } = counts as Record<string, number>;
  return Object.values(parts).reduce((sum, part) => sum + part, 0);
}
