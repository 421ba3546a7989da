import { promisify } from 'node:util';
import { crc32, gunzip } from 'node:zlib';
import type { Decide, RecordedRow } from '../../db/identities/chunk-outcome.js';
import {
  type ChangesKind,
  type IdentityChange,
  listParts,
  readPart,
  type StoredPart,
  sizeOfChanges,
} from '../../db/identities/import-changes.js';
import { compareKeys } from '../../db/identities/key-order.js';
import type { Job } from '../../db/jobs/jobs.js';
import { JobFailure } from '../run/errors.js';
import { runSteps, type StepJob } from '../run/run-steps.js';
import type { WorkerServices } from '../run/services.js';
import { readChanges } from './changes/change-rows.js';
import { type IdentityStep, identitySteps } from './identity-steps.js';

const decompress = promisify(gunzip);

interface Chunk {
  number: number;
  parts: StoredPart[];
}

/** The changes that a job has recorded, chunk by chunk. Rows whose owner stays are no changes. */
export class RecordedChanges {
  readonly #database: WorkerServices['database'];
  readonly #jobId: string;
  readonly chunks: readonly Chunk[];

  constructor(database: WorkerServices['database'], jobId: string, chunks: readonly Chunk[]) {
    this.#database = database;
    this.#jobId = jobId;
    this.chunks = chunks;
  }

  /** @throws JobFailure `changes_expired` if any of the changes are deleted */
  static async open(
    database: WorkerServices['database'],
    { id, changesBytes }: Job,
  ): Promise<RecordedChanges> {
    const chunks = byChunk(await listParts(database, id));
    if (changesBytes === null || (await sizeOfChanges(database, id)) < changesBytes) throw changesExpired();
    return new RecordedChanges(database, id, chunks);
  }

  /** The size of all changes before compression. */
  get bytes(): number {
    return this.chunks.reduce((sum, chunk) => sum + sizeOf(chunk), 0);
  }

  /** Returns the changes of a chunk, and a checksum over all that is recorded of it. */
  async read({ number, parts }: Chunk): Promise<{ changes: IdentityChange[]; checksum: Buffer }> {
    const changes: IdentityChange[] = [];
    const checksum = Buffer.alloc(8);
    for (const part of parts) {
      const content = await readPart(this.#database, this.#jobId, 'changes', { ...part, chunk: number });
      if (!content) throw changesExpired();
      checksum.writeUInt32BE(crc32(content, checksum.readUInt32BE(0)), 0);
      for (const change of readChanges((await decompress(content)).toString()))
        if (change.before !== change.after) changes.push(change);
    }
    return { changes, checksum };
  }

  /** Counts the changes that `matches`. */
  async count(matches: (change: IdentityChange) => boolean): Promise<number> {
    let count = 0;
    for (const chunk of this.chunks) count += (await this.read(chunk)).changes.filter(matches).length;
    return count;
  }

  /** Counts the accounts that get an owner, get another one, and lose theirs. */
  async tally(): Promise<{ created: number; updated: number; removed: number }> {
    const counts = { created: 0, updated: 0, removed: 0 };
    for (const chunk of this.chunks)
      for (const { before, after } of (await this.read(chunk)).changes)
        counts[after === null ? 'removed' : before === null ? 'created' : 'updated'] += 1;
    return counts;
  }
}

/** Yields the rows of a file that a job has recorded, from its start. */
export async function* readRecorded(
  database: WorkerServices['database'],
  jobId: string,
  kind: ChangesKind,
): AsyncGenerator<IdentityChange> {
  for (const part of await listParts(database, jobId, kind)) {
    const content = await readPart(database, jobId, kind, part);
    if (!content) throw changesExpired();
    yield* readChanges((await decompress(content)).toString());
  }
}

interface Writing extends StepJob {
  changes: RecordedChanges;
  acceptance: number;
  dryRun: boolean;
  /** Returns the owner that an account gets. */
  ownerOf: (change: IdentityChange) => string | null;
  decide: Decide<RecordedRow>;
  /** Write all chunks in one transaction. Default: each in its own. */
  isOneStep?: boolean;
}

/** Writes the recorded changes of a job. Each of its chunks is a step, with the number that it had in that job. */
export async function writeRecorded(writing: Writing, services: WorkerServices): Promise<void> {
  const { changes, acceptance, dryRun, decide, isOneStep = false, ...run } = writing;
  const { current } = run.progress;
  current.bytesTotal = changes.bytes;
  await runSteps(
    {
      ...identitySteps({ phase: 0, acceptance, dryRun, decide }, run.job, services),
      lanes: isOneStep ? 1 : services.settings.importLanes,
      async *steps({ steps }) {
        if (isOneStep) {
          if (!steps.has(0)) yield await wholeStep(writing);
          return;
        }
        for (const chunk of changes.chunks) {
          current.bytesRead += sizeOf(chunk);
          if (steps.has(chunk.number)) continue;
          const step = await stepOf(chunk, writing);
          if (step.rows > 0) yield step;
        }
      },
      done: ({ rows }) => {
        current.rowsRead += rows;
        if (isOneStep) current.bytesRead = current.bytesTotal ?? 0;
      },
    },
    run,
    services,
  );
}

async function stepOf(chunk: Chunk, { changes, ownerOf }: Writing): Promise<IdentityStep<RecordedRow>> {
  const read = await changes.read(chunk);
  const assertions = read.changes.map((change) => Object.assign(change, { email: ownerOf(change) }));
  return { number: chunk.number, rows: assertions.length, checksum: read.checksum, assertions };
}

/** Returns all chunks as one step. */
async function wholeStep(writing: Writing): Promise<IdentityStep<RecordedRow>> {
  const assertions: RecordedRow[] = [];
  const checksum = Buffer.alloc(8);
  for (const chunk of writing.changes.chunks) {
    const step = await stepOf(chunk, writing);
    checksum.writeUInt32BE(crc32(step.checksum, checksum.readUInt32BE(0)), 0);
    for (const row of step.assertions) assertions.push(row);
  }
  // The removals of a mirror come after its rows.
  assertions.sort(compareKeys);
  return { number: 0, rows: assertions.length, checksum, assertions };
}

const changesExpired = (): JobFailure =>
  new JobFailure(
    'changes_expired',
    'The recorded changes of the job have expired. Nothing more can be written.',
  );

/** Groups parts by their chunk. */
function byChunk(parts: readonly StoredPart[]): Chunk[] {
  const chunks = new Map<number, Chunk>();
  for (const part of parts) {
    const chunk = chunks.get(part.chunk) ?? { number: part.chunk, parts: [] };
    chunk.parts.push(part);
    chunks.set(part.chunk, chunk);
  }
  return [...chunks.values()];
}

const sizeOf = ({ parts }: Chunk): number => parts.reduce((sum, part) => sum + part.textBytes, 0);
