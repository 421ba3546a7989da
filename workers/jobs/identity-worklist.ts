import { countIdentities } from '../../db/identities/identities.js';
import { IdentityCellRows, streamIdentities } from '../../db/identities/stream-identities.js';
import {
  type AccountDecisions,
  findDecisions,
  type StoredDecision,
} from '../../db/identities/worklist-decisions.js';
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
import { DECIDED } from '../text/worklist-rules.js';
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
  // Decisions are read where they are written: somebody may have made one a moment ago.
  const decisions = await findDecisions(
    services.database,
    integrationId,
    accounts.map(({ identity }) => identity),
  );
  const rejected = new Map([...decisions].map(([identity, decided]) => [identity, decided.rejected]));
  const ranking = await rank(
    job,
    await Ranking.of(accounts, integrationId, rejected),
    readingFrom(readFrom, services),
  );
  const { open, counts } = openAccounts(accounts, ranking, decisions, params.includeDecided ?? false);
  const table = worklistTable(escapeFormulas);
  const content = {
    header: table.header,
    async *pages() {
      for (let from = 0; from < open.length; from += PAGE_ROWS)
        yield table.page(open.slice(from, from + PAGE_ROWS).map((row) => worklistRow(row, integrationId)));
    },
    count: async () => open.length,
    keptHours: JOB_KEPT_HOURS,
  };
  const result = await writeExport(job, content, services);
  return { ...result, counts: { total: accounts.length + repeated, ...counts, repeated }, warnings };
}

/** An account that has no owner, and what is known about who it may be. */
interface OpenAccount {
  account: Account;
  decision: StoredDecision | null;
  candidates: readonly Candidate[];
}

/** Returns the accounts of a worklist, and counts them and those that it leaves out. */
function openAccounts(
  accounts: readonly Account[],
  ranking: Ranking,
  decisions: ReadonlyMap<string, AccountDecisions>,
  includeDecided: boolean,
) {
  const counts = { owned: 0, withCandidates: 0, withoutCandidates: 0, bot: 0, left: 0, later: 0 };
  const open: OpenAccount[] = [];
  for (const [at, account] of accounts.entries()) {
    const decision = decisions.get(account.identity)?.decision ?? null;
    const word = decision?.decision;
    if (ranking.isOwned(at)) counts.owned += 1;
    else if (!includeDecided && (word === 'bot' || word === 'left' || word === 'later')) counts[word] += 1;
    else {
      const candidates = withDecided(ranking.candidates(at), decision);
      counts[candidates.length > 0 ? 'withCandidates' : 'withoutCandidates'] += 1;
      open.push({ account, decision, candidates });
    }
  }
  return { open, counts };
}

/** Puts the owner that somebody has decided first. */
export function withDecided(
  candidates: readonly Candidate[],
  decision: StoredDecision | null,
): readonly Candidate[] {
  if (decision?.decision !== 'owner' || decision.email === null) return candidates;
  const { email } = decision;
  const ranked = candidates.find((one) => one.email === email);
  const reason = ranked ? `${DECIDED}; ${ranked.reason}` : DECIDED;
  const others = candidates.filter((one) => one !== ranked);
  return [{ email, score: 100, reason }, ...others].slice(0, MAX_CANDIDATES);
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
  'decision',
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
 * Returns the columns of a worklist. The first three are those of an upload, the email empty unless an owner is decided: the others are ignored
 * when the file is uploaded.
 */
export const worklistTable = (escapeFormulas: boolean): CsvTable =>
  new CsvTable(COLUMNS, escapeFormulas ? TEXT_COLUMNS : []);

/** Returns the row of an account that has no owner. The email is that of the owner whom somebody has decided. */
export function worklistRow({ account, decision, candidates }: OpenAccount, integrationId: number): Cell[] {
  const { identity, name, email } = account;
  const cells = places.flatMap((place): Cell[] => {
    const candidate = candidates[place - 1];
    return candidate ? [candidate.email, candidate.score, candidate.reason] : [null, null, null];
  });
  const word = decision?.decision ?? null;
  const owner = word === 'owner' ? (decision?.email ?? null) : null;
  return [owner, integrationId, identity, name, email, word, ...cells];
}
