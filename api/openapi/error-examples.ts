import { preconditionFailed } from '../http/entity-tag.js';
import {
  badGateway,
  badRequest,
  conflict,
  errorBody,
  forbidden,
  gone,
  internalError,
  methodNotAllowed,
  notAcceptable,
  notFound,
  RequestError,
  rangeNotSatisfiable,
  requestTimeout,
  tooLarge,
  unauthorized,
  unavailable,
  unprocessable,
  unsupportedMedia,
} from '../http/errors.js';
import { ID } from './resources/values.js';

/** One example error for each status. */
const ERRORS = [
  badRequest('invalid_query', 'Invalid query parameter `pageSize`: must be an integer from 1 to 1000.', [
    { field: 'pageSize', code: 'invalid_format', message: 'must be an integer from 1 to 1000' },
  ]),
  unauthorized('invalid_api_key', 'This API key is unknown, expired or revoked.'),
  forbidden(['admin']),
  notFound('job'),
  methodNotAllowed('A webhook URL accepts events only with POST, as `Allow` says. Nothing was stored.', {
    Allow: 'POST',
  }),
  notAcceptable(['application/json', 'text/csv']),
  requestTimeout(),
  conflict('job_not_failed', 'Only a failed job can be retried. This job is completed.', ID),
  gone('result_expired', 'The file has expired.'),
  preconditionFailed('mapping', { revision: 8, savedBy: { id: ID, name: 'deploy' } }),
  tooLarge(65_536, 'body'),
  unsupportedMedia('Send the body as application/json.'),
  rangeNotSatisfiable(1_024),
  unprocessable(
    'idempotency_key_reused',
    'This `Idempotency-Key` was used for a different request. Use a new key.',
    [],
  ),
  new RequestError(429, 'over_limit', 'This integration takes 600 events a minute.'),
  internalError(),
  badGateway('sns_unavailable', 'sns.eu-central-1.amazonaws.com did not respond within 5 s.'),
  unavailable('The queue'),
];

/** Returns an example of the JSON body of an error. */
export function errorExample(status: number): unknown {
  const error = ERRORS.find((one) => one.status === status);
  return error && errorBody(error, ID);
}
