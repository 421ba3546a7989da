import { METHODS } from 'node:http';
import { badRequest, notFound, type RequestError } from '../../../http/errors.js';
import { toReport } from '../../heartbeats/ping.js';
import { LOG_BYTES } from '../../heartbeats/read-log.js';
import type { Address, Dialect, DialectRoute, Received, Reply } from '../dialect.js';
import { hasHeartbeat, pingHeartbeat } from '../heartbeats.js';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const BY_UUID = /^\/ping\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:\/(start|fail|log|\d+))?\/?$/;
const BY_SLUG = /^\/ping\/[-\w]+\/([-\w]+)(?:\/(start|fail|log|\d+))?\/?$/;
const MAX_EXIT_STATUS = 255;

/** The pings of Healthchecks: https://healthchecks.io/docs/http_api/ */
export const healthchecks: Dialect = {
  speaks: ({ path }) => path === '/ping' || path.startsWith('/ping/'),
  routes: [ping(BY_UUID, '/ping/{uuid}', pingByUuid), ping(BY_SLUG, '/ping/{key}/{slug}', pingBySlug)],
  tokenOf: ({ path }) => path.split('/')[2] ?? null,
  rejection,
};

function ping(path: RegExp, name: string, handle: DialectRoute['handle']): DialectRoute {
  return { methods: METHODS, path, name, isLog: true, handle };
}

/** How many characters of a UUID are in the name of its heartbeat. Who knows the whole one may ping it. */
const SHOWN_OF_UUID = 13;

/** The UUID of a check creates its heartbeat: at Healthchecks, somebody has created it. */
async function pingByUuid(received: Received): Promise<Reply> {
  const [uuid = '', result = '0'] = received.captures;
  await report(received, `check-${uuid.slice(0, SHOWN_OF_UUID)}`, result);
  return succeeded(200, 'OK');
}

async function pingBySlug(received: Received): Promise<Reply> {
  const [slug = '', result = '0'] = received.captures;
  if (slug !== slug.toLowerCase()) throw invalidUrl();
  const isNew = !(await hasHeartbeat(received, slug));
  if (isNew && [received.address.query.create].flat().at(-1) !== '1') throw notFound('heartbeat');
  await report(received, slug, result);
  return isNew ? succeeded(201, 'Created') : succeeded(200, 'OK');
}

async function report(received: Received, name: string, result: string): Promise<void> {
  if (Number(result) > MAX_EXIT_STATUS) throw invalidUrl();
  checkRun(received.address);
  await pingHeartbeat(received, name, toReport(result));
}

const invalidUrl = () => badRequest('malformed_request', 'invalid url format');

/** The id of a run pairs its start with its end. Muster compares their times only. */
function checkRun({ query: { rid } }: Address): void {
  if (rid !== undefined && !UUID.test([rid].flat().at(-1) ?? ''))
    throw badRequest('malformed_request', 'invalid uuid format');
}

const succeeded = (status: number, text: string): Reply => ({
  status,
  body: null,
  text,
  headers: { 'Ping-Body-Limit': String(LOG_BYTES), 'Access-Control-Allow-Origin': '*' },
});

const NOT_FOUND: ReadonlySet<string> = new Set([
  'missing_key',
  'unknown_key',
  'not_found',
  'too_many_heartbeats',
]);

function rejection({ code, status, message, details }: RequestError): Reply {
  if (NOT_FOUND.has(code)) return { status: 404, body: null, text: 'not found' };
  return { status, body: null, text: message, headers: details.headers ?? {} };
}
