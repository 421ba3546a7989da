import { z } from 'zod';
import { JSON_MAX_RECORDS } from '../../../workers/identities/record/identity-json.js';
import { isJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { defineRoute, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { unsupportedMedia } from '../../http/errors.js';
import { acceptedResponse, importJson, uploadResponse } from './import-upload.js';
import { identity, integrationId } from './record.js';

const keysSchema = z
  .array(z.object({ integrationId, identity }).meta({ id: 'IdentityKey' }))
  .min(1, 'must contain at least one record')
  .max(JSON_MAX_RECORDS);

export const deleteIdentities = defineRoute({
  method: 'delete',
  path: '/v2/developers/identities',
  operationId: 'removeIdentities',
  tag: 'Identity',
  summary: 'Remove accounts',
  description:
    'A removal counts like an upload: it wins over everything that was accepted earlier, even if that is processed later.',
  scopes: ['developer_records:write'],
  query: NO_QUERY,
  params: NO_PARAMS,
  idempotent: true,
  headers: ['Prefer'],
  requestBody: { 'application/json': keysSchema },
  responses: {
    200: { description: 'Done', body: uploadResponse('total', 'removed', 'notFound', 'superseded') },
    202: acceptedResponse,
    ...failures(400, 408, 409, 413, 415, 422, 429),
  },
  handle: async (input) => {
    if (!isJson(input.ctx)) throw unsupportedMedia('Send the keys as application/json.');
    const options = { action: 'remove', onError: 'abort', dryRun: false } as const;
    await importJson(input, '{integrationId, identity}', options, 'Developer identities removed.');
  },
});
