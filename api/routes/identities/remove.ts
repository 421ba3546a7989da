import { z } from 'zod';
import { JSON_MAX_RECORDS } from '../../../workers/identities/record/identity-json.js';
import { failures } from '../../endpoint/error-responses.js';
import { defineRoute, NO_PARAMS, type Route } from '../../endpoint/route.js';
import { uploadColumns } from '../../jobs/job-schema.js';
import { acceptedResponse, fileBodies, importBody, uploadResponse } from './import-upload.js';
import { identity, integrationId } from './record.js';
import { removeQuery } from './upload-options.js';

const keysSchema = z
  .array(z.object({ integrationId, identity }).meta({ id: 'IdentityKey' }))
  .min(1, 'must contain at least one record')
  .max(JSON_MAX_RECORDS);

const REMOVED = 'Developer identities removed.';

export const deleteIdentities = defineRoute({
  method: 'delete',
  path: '/v2/developers/identities',
  operationId: 'removeIdentities',
  tag: 'Identity',
  summary: 'Remove accounts, from JSON or a CSV file',
  description:
    'JSON and CSV have the limits and options of an upload. A CSV file names `integrationId` and `identity`; an `email` is ' +
    'ignored. A removal counts like an upload: it wins over everything that was accepted earlier, even if that is ' +
    'processed later.',
  scopes: ['developer_records:write'],
  query: removeQuery,
  params: NO_PARAMS,
  upload: true,
  idempotent: true,
  headers: ['Prefer'],
  requestBody: { 'application/json': keysSchema, ...fileBodies },
  responses: {
    200: {
      description: 'Done',
      body: uploadResponse('total', 'removed', 'notFound', 'superseded', 'rejected').extend({
        columns: uploadColumns.optional(),
      }),
    },
    202: acceptedResponse,
    ...failures(400, 403, 408, 409, 413, 415, 422, 429),
  },
  handle: (input) =>
    importBody(input, {
      action: 'remove',
      shape: '{integrationId, identity}',
      done: { csv: REMOVED, json: REMOVED },
    }),
});

/** For clients that cannot send DELETE with a body, and behind proxies that drop it. */
export const postRemoval: Route = {
  ...deleteIdentities,
  method: 'post',
  path: '/v2/developers/identities/removals',
  operationId: 'createRemoval',
  summary: 'Remove accounts, like DELETE /v2/developers/identities',
};
