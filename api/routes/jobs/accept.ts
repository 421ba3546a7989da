import { Readable } from 'node:stream';
import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import type { Database } from '../../../db/client/connect.js';
import { readNow } from '../../../db/client/now.js';
import { findOwners } from '../../../db/identities/owners.js';
import { findDecisions } from '../../../db/identities/worklist-decisions.js';
import { findAccept } from '../../../db/jobs/accepts.js';
import { lockJob } from '../../../db/jobs/job-lifecycle.js';
import type { Job } from '../../../db/jobs/jobs.js';
import { isExpired } from '../../../workers/callbacks/present-job.js';
import { newAcceptance } from '../../../workers/queues/acceptance.js';
import { paramsOf } from '../../../workers/queues/contracts/contract.js';
import { identityImport, importQueue } from '../../../workers/queues/contracts/identity-import.js';
import { identityWorklist } from '../../../workers/queues/contracts/identity-worklist.js';
import {
  isWorklistRule,
  WORKLIST_RULE_CODES,
  type WorklistRule,
} from '../../../workers/text/worklist-rules.js';
import { type AcceptedRow, readAccepted, uploadOf } from '../../../workers/worklist/accepted-rows.js';
import { failures } from '../../endpoint/error-responses.js';
import { commaList, flag } from '../../endpoint/parameters.js';
import { ACCEPTED_HEADERS } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS } from '../../endpoint/route.js';
import { conflict, gone } from '../../http/errors.js';
import { callback, requireCallback } from '../../jobs/callback.js';
import { findVisibleJob } from '../../jobs/job-access.js';
import { jobResponse } from '../../jobs/job-schema.js';
import { respondWithJob } from '../../jobs/respond-with-job.js';
import { submitJob } from '../../jobs/submit-job.js';
import { oneAtATime } from '../../preview/one-at-a-time.js';
import type { ApiServices } from '../../services.js';

const rules = commaList
  .transform((given, context): WorklistRule[] => {
    if (given.length > WORKLIST_RULE_CODES.length)
      context.addIssue({ code: 'custom', message: `must have at most ${WORKLIST_RULE_CODES.length} rules` });
    const unknown = given.find((rule) => !isWorklistRule(rule));
    if (unknown !== undefined)
      context.addIssue({ code: 'custom', message: `must be some of ${WORKLIST_RULE_CODES.join(', ')}` });
    return given.filter(isWorklistRule);
  })
  .meta({
    override: {
      type: 'array',
      items: { type: 'string', enum: WORKLIST_RULE_CODES },
      maxItems: WORKLIST_RULE_CODES.length,
    },
    description: 'The rules whose candidates are accepted. Default: `same_email`',
  });

export const acceptJob = defineRoute({
  method: 'post',
  path: '/v2/jobs/{id}/accept',
  operationId: 'acceptWorklist',
  tag: 'Job',
  summary: 'Accept the candidates of a worklist that some rules have found',
  description:
    'Uploads the accounts of a worklist whose first candidate was found by one of the rules, that is the first words of its reason, if no other candidate has a score ' +
    'less than 10 below. Accounts that have got an owner or another decision since are left out. It is an upload like any other: it can be a dry run, and be reverted. ' +
    'While one is open, another of the same worklist gets 409 `already_accepting` with its `jobId`; dry runs do not.',
  scopes: ['developer_records:write'],
  idempotent: true,
  headers: ['Prefer'],
  query: z.strictObject({
    rules: rules.optional(),
    dryRun: flag.default(false).meta({
      description: 'Write nothing; only count what the upload would do',
      override: { type: 'boolean', default: false },
    }),
    callback,
  }),
  params: ID_PARAMS,
  responses: {
    200: { description: 'The upload finished within the time of `Prefer: wait`', body: jobResponse },
    202: {
      description: 'Accepted; `Location` is the job of the upload',
      body: jobResponse,
      headers: ACCEPTED_HEADERS,
    },
    ...failures(400, 403, 404, 409, 410, 422, 429, 503),
  },
  handle: async (input) => {
    const { ctx, query, params, principal, origin, once, services } = input;
    const worklist = await findVisibleJob(services, principal, params.id);
    const file = requireWorklist(worklist);
    const callback = await requireCallback(services, principal, query.callback);
    const since = await readNow(services.database);
    if (!query.dryRun) await requireNoOther(services.database, worklist.id, since);
    // Taken before the owners are read: an upload that comes meanwhile is a later one, and wins.
    const acceptance = await newAcceptance(services);
    const wanted = new Set<WorklistRule>(query.rules ?? ['same_email']);
    const found = await oneAtATime(input, () => readAccepted(services.files.read(file), wanted));
    const { integrationId } = paramsOf(worklist, identityWorklist);
    const pieces = await openRows(services, integrationId, found);
    if (pieces.length === 0)
      throw conflict(
        'nothing_to_accept',
        'The worklist has no open account with such a candidate. Nothing was written. Name other `rules`, or decide about each account.',
        worklist.id,
      );
    const key = `uploads/${uuidv7()}`;
    const { bytes } = await services.files.write(key, Readable.from(pieces));
    const { smallUploadBytes, uploadMaxBytes: maxBytes, uploadMaxRows: maxRows } = services.settings;
    const jobId = await submitJob(services, {
      contract: identityImport,
      queue: importQueue(bytes, smallUploadBytes),
      params: {
        ...{ version: 1, format: 'csv', action: 'assert', onError: 'abort', dryRun: query.dryRun },
        ...{ damaged: 'keep', bytes, maxBytes, maxRows, acceptOf: worklist.id },
      },
      acceptance,
      recording: async (transaction) => {
        if (query.dryRun) return;
        await lockJob(transaction, worklist.id);
        await requireNoOther(transaction, worklist.id, since);
      },
      origin,
      sourceKey: key,
      sourceBytes: bytes,
      fileName: `accepted-${worklist.id}.csv`,
      callback,
      once,
    });
    await respondWithJob(ctx, services, jobId, 'The candidates have been accepted.');
  },
});

/** @throws RequestError 409 if candidates of the worklist are being accepted, or have been since that time */
async function requireNoOther(database: Database, worklistId: string, since: Date): Promise<void> {
  const other = await findAccept(database, worklistId, since);
  if (other !== null)
    throw conflict(
      'already_accepting',
      'Candidates of this worklist are being accepted by the job `jobId`. Wait for it, then send the request again.',
      other,
    );
}

/** Returns the key of the file of a worklist. @throws RequestError 409 or 410 if the job has none */
function requireWorklist(job: Job): string {
  if (job.type !== identityWorklist.name)
    throw conflict('job_not_worklist', 'This job is not a worklist, so it has no candidates.', job.id);
  if (isExpired(job) && job.state === 'completed')
    throw gone('result_expired', 'The worklist has expired. Make a new one.');
  if (!job.finishedAt)
    throw conflict(
      'job_not_finished',
      'The worklist is not ready yet. The job reports its progress.',
      job.id,
    );
  if (!job.resultKey) throw conflict(`job_${job.state}`, `The job is ${job.state} and has no file.`, job.id);
  return job.resultKey;
}

/** Rows in one piece: to look up and write them takes a few milliseconds, and other requests run between the pieces. */
const PIECE = 500;

/** Returns an upload of the rows of accounts that have no owner now, and no decision that says otherwise; nothing if there are none. */
async function openRows(
  { database }: ApiServices,
  integrationId: number,
  rows: readonly AcceptedRow[],
): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for (let from = 0; from < rows.length; from += PIECE) {
    const open = await stillOpen(database, integrationId, rows.slice(from, from + PIECE));
    if (open.length > 0) pieces.push(Buffer.from(uploadOf(open, integrationId, pieces.length === 0)));
  }
  return pieces;
}

async function stillOpen(
  database: Database,
  integrationId: number,
  rows: readonly AcceptedRow[],
): Promise<AcceptedRow[]> {
  const identities = rows.map(({ identity }) => identity);
  const owners = await findOwners(database, integrationId, identities);
  const decisions = await findDecisions(database, integrationId, identities);
  return rows.filter(({ identity, email }) => {
    const decided = decisions.get(identity);
    if (owners.has(identity) || decided?.rejected.has(email)) return false;
    return !decided?.decision || (decided.decision.decision === 'owner' && decided.decision.email === email);
  });
}
