import { type LedgerEntry, readLedger } from '../../db/import-chunks.js';
import type { Job } from '../../db/jobs.js';
import { writeChunk } from '../../db/write-identities.js';
import { patiently } from '../patience.js';
import type { ImportParams } from '../queues/identity-import.js';
import type { Services } from '../services.js';
import { type Chunk, Lane, laneOf } from './lane.js';
import { type Plan, resumeMismatch } from './plan.js';
import type { ProgressKeeper } from './progress.js';
import type { CsvBatch } from './read-csv.js';

interface Import {
  job: Job;
  params: ImportParams;
  plan: Plan;
  progress: ProgressKeeper;
}

/** The second pass: writes the good rows in lanes of chunks, skipping the chunks that are in the ledger. */
export async function applyUpload(
  reading: AsyncIterable<CsvBatch>,
  work: Import,
  services: Services,
): Promise<void> {
  const { plan, params } = work;
  const write = await chunkWriter(work, services);
  const lanes = Array.from({ length: plan.lanes }, (_, lane) => new Lane(plan.chunkRows, write(lane)));
  for await (const { records, lines } of reading) {
    for (const [at, { email, integrationId, identity }] of records.entries()) {
      const lane = lanes[laneOf(integrationId, identity, plan.lanes)] as Lane;
      const owner = params.action === 'remove' ? null : email;
      await lane.add({ integrationId, identity, email: owner, line: lines[at] as number });
    }
  }
  await Promise.all(lanes.map((lane) => lane.end()));
}

async function chunkWriter({ job, progress }: Import, services: Services) {
  const { database, closing } = services;
  const ledger = await patiently(closing, () => readLedger(database, job.id));
  const entered = new Map(ledger.map((entry) => [`${entry.lane}/${entry.chunk}`, entry]));
  return (lane: number) => async (chunk: Chunk) => {
    const known = entered.get(`${lane}/${chunk.number}`);
    if (known) expectSame(known, chunk);
    else {
      const entry = { ...chunk, lane, chunk: chunk.number };
      const work = { jobId: job.id, acceptance: job.acceptance as number, entry, rows: chunk.rows };
      await patiently(closing, () => writeChunk(database, work));
      progress.moveOn();
    }
    progress.current.rowsRead += chunk.rows.length;
    progress.checkpoint();
  };
}

function expectSame(known: LedgerEntry, chunk: Chunk): void {
  const same =
    known.firstLine === chunk.firstLine &&
    known.lastLine === chunk.lastLine &&
    known.checksum.equals(chunk.checksum);
  if (!same) throw resumeMismatch(`the rows from line ${known.firstLine} to ${known.lastLine} have changed`);
}
