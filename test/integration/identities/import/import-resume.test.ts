import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { reopenJob, requestCancel } from '../../../../db/jobs/job-lifecycle.js';
import type { Job } from '../../../../db/jobs/jobs.js';
import { removeOldSpools, spoolFolder } from '../../../../workers/identities/spool/spool-folders.js';
import type { WorkerServices } from '../../../../workers/run/services.js';
import {
  crashing,
  type DeskUpload,
  type ImportDesk,
  openImportDesk,
} from '../../../support/api/import-desk.js';
import { type Reading, watchUploads } from '../../../support/api/upload-source.js';

jest.setTimeout(90_000);

let desk: ImportDesk;
beforeAll(async () => {
  desk = await openImportDesk();
});
afterAll(() => desk.close());
beforeEach(() => desk.database('identities').delete());

const HEADER = 'email,integrationId,identity\n';
const fileOf = (rows: readonly string[]): string => HEADER + rows.join('');
const ROW_BYTES = 200;
/** Long rows, because a file is read ahead by bytes. */
const numbered = (rows: number): string[] =>
  Array.from(
    { length: rows },
    (_, at) => `${`a@b.c,1,${(at * 48_271) % 1_000_003}`.padEnd(ROW_BYTES - 1, 'x')}\n`,
  );
/** Rows that are stored at a time; a batch of 1,000 is not divided. */
const RUN_ROWS = 4_000;
/** The last ones are read ahead, but not yet parsed, when reading fails. */
const good = numbered(RUN_ROWS + 4_500);

const dryRun = { format: 'csv', action: 'assert', onError: 'continue', dryRun: true } as const;
const upload = (content: DeskUpload['content']): DeskUpload => ({ ...dryRun, content });

const folderOf = (id: string): string => spoolFolder(id, desk);
const filesOf = (id: string): string[] => (existsSync(folderOf(id)) ? readdirSync(folderOf(id)) : []);
const runsOf = (id: string): string[] => filesOf(id).filter((name) => name.endsWith('.run'));

/** Delivers a job to a worker that stores little at a time. */
const deliver = (id: string, worker: Partial<WorkerServices> = {}): Promise<void> =>
  desk.deliver(id, {
    settings: { ...desk.settings, importChunkRows: 1_500, importRunRows: RUN_ROWS },
    ...worker,
  });

class Broken extends Error {}

/** Delivers a job to a worker that stops in the validation pass after the given number of bytes. Returns what it has read. */
async function breakOff(id: string, offset: number): Promise<Reading[]> {
  const { files, readings } = watchUploads(desk.files, (reached) => {
    if (reached >= offset) throw new Broken();
  });
  await expect(deliver(id, { files })).rejects.toThrow('the attempt failed');
  return readings;
}

/** Delivers a job to a worker that completes it. Returns what it has read. */
async function finish(
  id: string,
  worker: Partial<WorkerServices> = {},
): Promise<{ job: Job; readings: Reading[] }> {
  const { files, readings } = watchUploads(desk.files);
  await deliver(id, { files, ...worker });
  expect(existsSync(folderOf(id))).toBe(false);
  return { job: await desk.find(id), readings };
}

const ledgerOf = (id: string) =>
  desk.database('job_steps').where({ job_id: id }).orderBy('step').select('step', 'row_count', 'checksum');

test('a worker that shuts down anywhere in the validation pass loses at most the run that it was filling', async () => {
  const rows = 20_000;
  const content = fileOf(numbered(rows));
  const undisturbed = await desk.accept(upload(content));
  await finish(undisturbed);
  const id = await desk.accept(upload(content));
  const stops: Reading[] = [];
  while ((await desk.find(id)).finishedAt === null) {
    const closing = new AbortController();
    const stop = (stops.at(-1)?.to ?? 0) + Math.random() * 0.3 * content.length;
    const { files, readings } = watchUploads(desk.files, (reached) => {
      if (reached >= stop) closing.abort();
    });
    await deliver(id, { files, closing: closing.signal }).catch(() => {});
    stops.push(...readings);
  }
  const lost = stops.slice(1).map(({ from }, index) => (stops[index]?.to as number) - from);
  // What was read ahead when the worker stopped is lost as well.
  expect(Math.max(...lost)).toBeLessThan(RUN_ROWS * ROW_BYTES + 1_500_000);
  expect(new Set(stops.map(({ from }) => from)).size).toBeGreaterThanOrEqual(2);
  expect(await desk.find(id)).toMatchObject({
    state: 'completed',
    counts: { total: rows, created: rows },
    warnings: [],
  });
  expect(await ledgerOf(id)).toEqual(await ledgerOf(undisturbed));
  expect(existsSync(folderOf(id))).toBe(false);
});

test('a worker that crashes in the write pass leaves nothing to be read again', async () => {
  const id = await desk.accept(upload(fileOf(good)));
  await deliver(id, crashing(desk.database, { transaction: 3, at: 'committed' })).catch(() => {});
  const { job, readings } = await finish(id);
  expect(readings).toEqual([]);
  expect(job).toMatchObject({
    state: 'completed',
    attempts: 2,
    counts: { total: good.length, created: good.length },
  });
});

const withBad = (at: number): string => fileOf(good.with(at, 'x@example.com,one,a\n'));

test.each<[string, string | Buffer, boolean, number]>([
  ['after what is stored: only from there', withBad(RUN_ROWS + 500), true, 1],
  ['before that: all of it', withBad(1_000), false, 1],
  ['nowhere, but in a gzip file: all of it', gzipSync(fileOf(good), { level: 1 }), false, 0],
])(
  'with rejected rows %s is read again, and nothing when the pass was over',
  async (_, content, isResumed, rejected) => {
    const other = await desk.accept(upload(content));
    const { job: undisturbed } = await finish(other);
    const id = await desk.accept(upload(content));
    await breakOff(id, Buffer.from(content as string).length);
    const second = watchUploads(desk.files);
    const dying = { ...crashing(desk.database, { transaction: 0, at: 'before' }), files: second.files };
    await deliver(id, dying).catch(() => {});
    expect(second.readings.map(({ from }) => from > 0)).toEqual([isResumed]);
    const { job, readings } = await finish(id);
    expect(readings).toEqual([]);
    expect(outcomeOf(job)).toEqual(outcomeOf(undisturbed));
    expect(job.counts).toMatchObject({ total: good.length, rejected });
    expect(await rejectedOf(job)).toEqual(await rejectedOf(undisturbed));
    expect(await ledgerOf(id)).toEqual(await ledgerOf(other));
  },
);

const outcomeOf = ({ state, counts, warnings, error }: Job) => ({ state, counts, warnings, error });
const rejectedOf = async ({ rejectedKey }: Job): Promise<string | null> =>
  rejectedKey ? text(desk.files.read(rejectedKey)) : null;

test.each<[string, (id: string) => void]>([
  ['a run is cut short', (id) => truncateSync(join(folderOf(id), runsOf(id)[0] as string), 1_000)],
  ['a run is missing', (id) => rmSync(join(folderOf(id), runsOf(id)[0] as string))],
  ['a bit of a run has changed', (id) => flipBit(join(folderOf(id), runsOf(id)[0] as string))],
  ['the manifest is empty', (id) => writeFileSync(join(folderOf(id), 'manifest.json'), '')],
  ['the manifest is of another origin', (id) => changeOrigin(join(folderOf(id), 'manifest.json'))],
])('the stored rows are ignored and the validation pass starts over if %s', async (_, spoil) => {
  const content = fileOf(good);
  const id = await desk.accept(upload(content));
  await breakOff(id, content.length);
  expect(filesOf(id).length).toBeGreaterThanOrEqual(2);
  spoil(id);
  expect(await breakOff(id, 1)).toMatchObject([{ from: 0 }]);
  expect(runsOf(id)).toEqual([]);
});

function flipBit(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(path, bytes);
}

function changeOrigin(path: string): void {
  writeFileSync(path, readFileSync(path, 'utf8').replace('"origin":"', '"origin":"another '));
}

test('two workers on one job, because one was stalled for longer than its lock, do not disturb each other', async () => {
  const content = fileOf(good);
  const id = await desk.accept(upload(content));
  await Promise.allSettled([breakOff(id, content.length), deliver(id), breakOff(id, content.length)]);
  const { job } = await finish(id);
  expect(job).toMatchObject({ state: 'completed', counts: { total: good.length, created: good.length } });
});

test('the files of killed workers do not pile up', async () => {
  const content = withBad(1_000);
  const id = await desk.accept(upload(content));
  for (let turn = 0; turn < 3; turn++) {
    await breakOff(id, content.length);
    expect(runsOf(id)).toHaveLength(1);
  }
});

test('a job that kills its worker where spools are lost fails after five starts, and a retry starts counting again', async () => {
  const content = fileOf(good);
  const id = await desk.accept(upload(content));
  const startAndLose = async (): Promise<void> => {
    await breakOff(id, content.length);
    rmSync(folderOf(id), { recursive: true });
  };
  // The first start came further than all others.
  for (let start = 0; start < 6; start++) await startAndLose();
  await expect(deliver(id)).rejects.toThrow('no_progress');
  expect(await desk.find(id)).toMatchObject({ state: 'failed', error: { code: 'no_progress' } });
  await reopenJob(desk.database, await desk.find(id));
  for (let start = 0; start < 3; start++) await startAndLose();
  expect((await finish(id)).job.state).toBe('completed');
});

test('the spool is removed once the job was canceled or has failed for good, and stays for another attempt', async () => {
  const content = fileOf(good);
  const canceled = await desk.accept(upload(content));
  await breakOff(canceled, content.length);
  expect(runsOf(canceled)).toHaveLength(1);
  await requestCancel(desk.database, canceled);
  expect((await finish(canceled)).job.state).toBe('canceled');

  const rejected = await desk.accept(upload(`${content}"`));
  await breakOff(rejected, content.length);
  expect(runsOf(rejected)).toHaveLength(1);
  await expect(deliver(rejected)).rejects.toThrow('unclosed_quote');
  expect(existsSync(folderOf(rejected))).toBe(false);
});

test('spools to which nothing was added for a day are removed', async () => {
  const hours = (ago: number): number => Date.now() / 1_000 - ago * 3_600;
  const { scratchDir } = desk.settings;
  for (const [name, age] of [
    ['old', 25],
    ['young', 23],
  ] as const) {
    const folder = join(scratchDir, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'a.run'), 'x');
    utimesSync(folder, hours(age), hours(age));
  }
  await removeOldSpools(scratchDir);
  expect(readdirSync(scratchDir)).toContain('young');
  expect(readdirSync(scratchDir)).not.toContain('old');
  await removeOldSpools(join(scratchDir, 'missing'));
});
