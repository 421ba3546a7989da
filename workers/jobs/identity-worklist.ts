import { countIdentities } from '../../db/identities/identities.js';
import { IdentityCellRows, streamIdentities } from '../../db/identities/stream-identities.js';
import type { Job } from '../../db/jobs/jobs.js';
import { type Cell, CsvTable } from '../export/csv.js';
import { readingFrom } from '../export/reading-from.js';
import { writeExport } from '../export/write-export.js';
import { FileError } from '../identities/record/errors.js';
import { storedWorkbook } from '../identities/workbook/workbook.js';
import { JOB_KEPT_HOURS, paramsOf } from '../queues/contracts/contract.js';
import { identityWorklist, type WorklistParams } from '../queues/contracts/identity-worklist.js';
import { JobFailure } from '../run/errors.js';
import type { JobResult } from '../run/handler.js';
import { pacer } from '../run/pace.js';
import { ProgressKeeper } from '../run/progress.js';
import { requireUpload } from '../run/require-upload.js';
import type { WorkerServices } from '../run/services.js';
import type { Account, Candidate } from '../worklist/account.js';
import { MAX_CANDIDATES, Ranking } from '../worklist/ranking.js';
import { type AccountList, LIST_LIMITS, readAccounts, readJsonAccounts } from '../worklist/read-accounts.js';

const COUNT_WITHIN_MS = 5_000;
const PAGE_ROWS = 1_000;

/**
 * Writes a worklist: the accounts of an uploaded list that have no owner, with developers who may own them. It writes no identity. The
 * identities are those of one instant, and are read once, so the memory depends on the list and not on the table.
 */
export async function makeWorklist(job: Job, services: WorkerServices): Promise<JobResult> {
  const params = paramsOf(job, identityWorklist);
  const { integrationId, escapeFormulas, readFrom } = params;
  const { accounts, repeated, warnings } = await readList(job, params, services);
  const ranking = await rank(job, await Ranking.of(accounts, integrationId), readingFrom(readFrom, services));
  const open = accounts.flatMap((account, at) => (ranking.isOwned(at) ? [] : [{ account, at }]));
  const rowOf = ({ account, at }: (typeof open)[number]): Cell[] =>
    worklistRow(account, integrationId, ranking.candidates(at));
  const table = worklistTable(escapeFormulas);
  const content = {
    header: table.header,
    async *pages() {
      for (let from = 0; from < open.length; from += PAGE_ROWS)
        yield table.page(open.slice(from, from + PAGE_ROWS).map(rowOf));
    },
    count: async () => open.length,
    keptHours: JOB_KEPT_HOURS,
  };
  const result = await writeExport(job, content, services);
  const withCandidates = open.filter(({ at }) => ranking.candidates(at).length > 0).length;
  const counts = {
    total: accounts.length + repeated,
    owned: accounts.length - open.length,
    withCandidates,
    withoutCandidates: open.length - withCandidates,
    repeated,
  };
  return { ...result, counts, warnings };
}

async function readList(job: Job, params: WorklistParams, services: WorkerServices): Promise<AccountList> {
  const sourceKey = await requireUpload(job, services);
  try {
    const keepsLost = params.damaged === 'keep';
    if (params.format === 'json') return await readJsonAccounts(services.files.read(sourceKey), keepsLost);
    const { maxBytes } = LIST_LIMITS;
    const workbook =
      params.workbook && storedWorkbook(services.files, sourceKey, { ...params.workbook, maxBytes });
    return await readAccounts(workbook ?? services.files.read(sourceKey), { ...params, keepsLost });
  } catch (error) {
    throw error instanceof FileError ? invalidFile(error) : error;
  }
}

/** Compares all identities with the accounts, sorted by email: those of a developer come one after the other. */
async function rank(job: Job, ranking: Ranking, services: WorkerServices): Promise<Ranking> {
  const progress = new ProgressKeeper(job.id, null, services);
  const database = await services.reading.choose();
  progress.current.rowsTotal = await countIdentities(database, {}, COUNT_WITHIN_MS).catch(() => null);
  const pause = pacer();
  const identities = streamIdentities(database, {}, { key: 'email', order: 'asc' }, new IdentityCellRows());
  for await (const batch of identities) {
    for (const [email, integrationId, identity] of batch) {
      ranking.add(email, integrationId, identity);
      const paused = pause();
      if (paused) await paused;
    }
    progress.current.rowsRead += batch.length;
    progress.checkpoint();
  }
  ranking.end();
  return ranking;
}

function invalidFile({ code, message, details, errorCount }: FileError): JobFailure {
  const text = `Invalid file format: ${message}. Fix the file and upload it again.`;
  return new JobFailure(code, text, details, { errorCount });
}

const places = Array.from({ length: MAX_CANDIDATES }, (_, at) => at + 1);
const COLUMNS = [
  'email',
  'integrationId',
  'identity',
  'displayName',
  'accountEmail',
  ...places.flatMap((place) => [`candidate${place}`, `score${place}`, `reason${place}`]),
];
/** Columns with text of clients. */
const TEXT_COLUMNS = [
  'email',
  'identity',
  'displayName',
  'accountEmail',
  ...places.map((place) => `candidate${place}`),
];

/**
 * Returns the columns of a worklist. The first three are those of an upload, the email still empty: the others are ignored when the file is
 * uploaded.
 */
export const worklistTable = (escapeFormulas: boolean): CsvTable =>
  new CsvTable(COLUMNS, escapeFormulas ? TEXT_COLUMNS : []);

/** Returns the row of an account that has no owner. */
export function worklistRow(
  { identity, name, email }: Account,
  integrationId: number,
  candidates: readonly Candidate[],
): Cell[] {
  const cells = places.flatMap((place): Cell[] => {
    const candidate = candidates[place - 1];
    return candidate ? [candidate.email, candidate.score, candidate.reason] : [null, null, null];
  });
  return [null, integrationId, identity, name, email, ...cells];
}
