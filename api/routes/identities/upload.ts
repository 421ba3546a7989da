import { z } from 'zod';
import { JSON_MAX_RECORDS } from '../../../workers/identities/record/identity-json.js';
import { failures } from '../../endpoint/error-responses.js';
import { defineRoute, NO_PARAMS, type Route } from '../../endpoint/route.js';
import { uploadColumns } from '../../jobs/job-schema.js';
import { acceptedResponse, fileBodies, importBody, uploadResponse } from './import-upload.js';
import { recordSchema } from './record.js';
import { assertQuery } from './upload-options.js';

const recordsSchema = z.array(recordSchema).min(1, 'must contain at least one record').max(JSON_MAX_RECORDS);

const response = uploadResponse('total', 'created', 'updated', 'unchanged', 'superseded', 'rejected');

export const patchIdentities = defineRoute({
  method: 'patch',
  path: '/v2/developers/identities',
  operationId: 'updateIdentities',
  tag: 'Identity',
  summary: 'Add accounts or change their owners, from JSON or a CSV file',
  description:
    'JSON: 1 to 10,000 records, at most 8 MiB. CSV: multipart with one file part `file`, or the file as the body, plain ' +
    'or gzip, or an Excel workbook (.xlsx), with a header that names `email`, `integrationId` and `identity`. The upload that was accepted later wins.',
  scopes: ['developer_records:write'],
  query: assertQuery,
  params: NO_PARAMS,
  upload: true,
  idempotent: true,
  headers: ['Prefer'],
  requestBody: { 'application/json': recordsSchema, ...fileBodies },
  responses: {
    200: {
      description: 'Done',
      body: response.extend({
        columns: uploadColumns.optional(),
        counts: response.shape.counts.extend({
          removed: z.number().int().optional().meta({ description: 'With `mode=mirror`' }),
        }),
      }),
    },
    202: acceptedResponse,
    ...failures(400, 403, 408, 409, 413, 415, 422, 429),
  },
  handle: (input) =>
    importBody(input, {
      action: 'assert',
      shape: '{email, integrationId, identity}',
      done: {
        csv: 'CSV processed and developer identities updated successfully.',
        json: 'Developer identities updated successfully.',
      },
    }),
});

/** For clients that cannot send PATCH. */
export const importIdentities: Route = {
  ...patchIdentities,
  method: 'post',
  path: '/v2/developers/identities/imports',
  operationId: 'importIdentities',
  summary: 'Add accounts or change their owners, like PATCH /v2/developers/identities',
};
