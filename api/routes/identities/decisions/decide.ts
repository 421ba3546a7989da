import { z } from 'zod';
import { writeDecisions } from '../../../../db/identities/write-worklist-decisions.js';
import { FileError } from '../../../../workers/identities/record/errors.js';
import { type DecisionFile, readDecisions } from '../../../../workers/worklist/read-decisions.js';
import { changed } from '../../../audit/changed.js';
import { parseExactly } from '../../../body/json/parse-exactly.js';
import { isFile, isWorkbook } from '../../../body/open-file.js';
import { readJson } from '../../../body/read-body.js';
import { receiveFile } from '../../../body/receive-file.js';
import { failures } from '../../../endpoint/error-responses.js';
import { success } from '../../../endpoint/responses.js';
import { defineRoute, NO_QUERY } from '../../../endpoint/route.js';
import { RequestError, unsupportedMedia } from '../../../http/errors.js';
import { changeOnce } from '../../../idempotency/change-once.js';
import { oneAtATime } from '../../../preview/one-at-a-time.js';
import { ACCOUNT_SYSTEM_PARAMS } from '../coverage/read.js';
import { fileBodies, workbookOf } from '../import-upload.js';
import { assertQuery } from '../upload-options.js';
import { changesSchema, countsSchema, toChange } from './schema.js';

const MAX_JSON_BYTES = 4 * 1024 * 1024;
/** 100,000 rows of a worklist. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

export const putDecisions = defineRoute({
  method: 'put',
  path: '/v2/integrations/{integrationId}/decisions',
  operationId: 'putWorklistDecisions',
  tag: 'Identity',
  summary: 'Decide about accounts of worklists, or take decisions back',
  description:
    'Up to 1,000 decisions. They apply to all worklists that are made later, and write no identities. If one is invalid, none is stored. An `owner` is ' +
    'the first candidate with the reason `decided`, a `not_this_person` is not suggested again for the account, and accounts with `bot`, `left` or ' +
    '`later` are left out.',
  scopes: ['developer_records:write'],
  idempotent: true,
  query: NO_QUERY,
  params: ACCOUNT_SYSTEM_PARAMS,
  requestBody: { 'application/json': changesSchema },
  responses: {
    200: { description: 'Stored', body: z.object({ ...success, counts: countsSchema }) },
    ...failures(400, 404, 409, 413, 415, 422),
  },
  handle: async (input) => {
    const { integrationId } = input.params;
    const reading = { limit: MAX_JSON_BYTES, parse: parseExactly };
    const changes = (await readJson(input.ctx, changesSchema, input.once, reading)).map(toChange);
    await changeOnce(input, async (transaction) => {
      const counts = await writeDecisions(transaction, integrationId, { changes, author: input.principal });
      const audit = changed(['decisions', integrationId, null], null, counts);
      return { status: 200, body: { status: 'success', counts }, audit };
    });
  },
});

export const uploadDecisions = defineRoute({
  method: 'post',
  path: '/v2/integrations/{integrationId}/decisions',
  operationId: 'uploadWorklistDecisions',
  tag: 'Identity',
  summary: 'Decide about accounts with a worklist that is filled in',
  description:
    'A CSV file as multipart part `file` or as the body, plain or gzip, or an Excel workbook (.xlsx), with the columns `identity` and `decision`, and `email` ' +
    'for `owner` and `not_this_person`; at most 100,000 rows and 64 MiB. A worklist has these columns. A row with an email and no decision names the owner, a row without both ' +
    'says nothing, and `not_this_person` without an email means the first candidate. If a row is invalid, none is stored.',
  scopes: ['developer_records:write'],
  upload: true,
  idempotent: true,
  query: z.strictObject({
    charset: z.string().min(1).max(40).optional().meta({
      description: 'The encoding of the file if it is neither UTF-8 nor UTF-16, for example `windows-1252`',
    }),
    sheet: assertQuery.shape.sheet,
  }),
  params: ACCOUNT_SYSTEM_PARAMS,
  requestBody: fileBodies,
  responses: {
    200: {
      description: 'Stored',
      body: z.object({
        ...success,
        counts: countsSchema.extend({
          total: z.number().int().meta({ description: 'Rows of the file, also those without a decision' }),
        }),
      }),
    },
    ...failures(400, 404, 408, 409, 413, 415, 422, 503),
  },
  handle: async (input) => {
    const { ctx, params, query, services, once, principal } = input;
    if (!isFile(ctx) && !isWorkbook(ctx))
      throw unsupportedMedia(
        'Send a CSV or .xlsx file as multipart/form-data with the file part "file", or a CSV file as text/csv or application/gzip.',
        Object.keys(fileBodies),
      );
    const limit = Math.min(MAX_FILE_BYTES, services.settings.uploadMaxBytes);
    const upload = await receiveFile(ctx, services.files, { limit, charset: query.charset });
    const { integrationId } = params;
    let file: DecisionFile;
    try {
      once?.bodyRead(upload.digest);
      const { workbook } = workbookOf(upload, query.sheet);
      const { key, charset } = upload;
      file = await oneAtATime(input, () =>
        readDecisions(services.files, key, { charset, workbook, integrationId }),
      );
    } catch (error) {
      throw error instanceof FileError ? invalidFile(error) : error;
    } finally {
      // A file that cannot be removed now is an orphan, which upkeep removes.
      await services.files.remove(upload.key).catch(() => {});
    }
    const { changes, rows: total } = file;
    await changeOnce(input, async (transaction) => {
      const counts = await writeDecisions(transaction, integrationId, { changes, author: principal });
      const audit = changed(['decisions', integrationId, null], null, counts);
      return { status: 200, body: { status: 'success', counts: Object.assign({ total }, counts) }, audit };
    });
  },
});

function invalidFile({ code, message, errors, errorCount }: FileError) {
  const text = `Invalid file format: ${message}. Nothing was stored. Fix the file and upload it again.`;
  const listed = errors.map(({ line, field, code, message }) => ({
    ...(line !== null && { line }),
    field,
    code,
    message,
  }));
  return new RequestError(400, code, text, { errors: listed, errorCount });
}
