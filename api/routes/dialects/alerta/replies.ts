import { RequestError } from '../../../http/errors.js';
import type { Exchange, Reply } from '../dialect.js';

export const ok = (members: object = {}, status = 200): Reply => ({
  status,
  body: { status: 'ok', ...members },
});

export const notFound = (): RequestError => new RequestError(404, 'not_found', 'not found');

/** What programs read that only ask whether it works. */
export const ALIVE: Reply = { status: 200, body: null, text: 'OK' };

/** Texts of Alerta, by code. Its own for an unknown key repeats the key. */
const MESSAGES: Readonly<Record<string, string>> = {
  missing_key: 'Missing authorization API Key or Bearer Token',
  unknown_key: 'API key parameter is invalid',
  not_stored_yet: 'not found',
};

/** Returns the reply to a request that is rejected. */
export function rejectionOf(error: RequestError, { requestId }: Exchange): Reply {
  const { code, details } = error;
  const { 'WWW-Authenticate': _, ...headers } = details.headers ?? {};
  const status = code === 'over_limit' ? 429 : error.status;
  const faults = details.errors?.map(({ message }) => message) ?? [];
  const message = (status < 500 && MESSAGES[code]) || faults[0] || error.message;
  const errors = faults.length > 0 ? faults : null;
  return { status, body: { status: 'error', message, code: status, errors, requestId }, headers };
}
