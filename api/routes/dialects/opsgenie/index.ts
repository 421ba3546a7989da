import { gone } from '../../../http/errors.js';
import { isToken } from '../../../intake/token.js';
import type { Address, Dialect, DialectRoute, Received, Reply } from '../dialect.js';
import { pingHeartbeat } from '../heartbeats.js';
import { identifierIn } from '../identifier-in.js';
import { actionRoutes, createAlert, WITHOUT_KEYS } from './actions.js';
import { alertPath, heartbeatPath } from './paths.js';
import { countFound, getAlert, getAlertByAlias, listAlerts } from './read-alerts.js';
import { headersOf, queued, rejectionOf } from './replies.js';
import { getRequestStatus } from './request-status.js';

const get = (path: RegExp, name: string, handle: DialectRoute['handle']): DialectRoute => ({
  ...{ methods: ['GET'], path, name, handle },
  ...{ bodiless: true, reads: true },
});

/** An alias may be the word of another path. A client that names the type of an identifier means one. */
const unlessIdentifier =
  (handle: DialectRoute['handle'], identifier: (received: Received) => string): DialectRoute['handle'] =>
  (received) =>
    received.address.query.identifierType === undefined
      ? handle(received)
      : getAlert({ ...received, captures: [identifier(received)] });

/** Alert API v2, and the API of Jira Service Management that replaces it: https://docs.opsgenie.com/docs/alert-api */
export const opsgenie: Dialect = {
  speaks,
  routes: [
    createAlert,
    ...actionRoutes,
    get(alertPath(''), '/v2/alerts', listAlerts),
    get(
      alertPath('/count'),
      '/v2/alerts/count',
      unlessIdentifier(countFound, () => 'count'),
    ),
    get(
      alertPath('/requests/([^/]+)'),
      '/v2/alerts/requests/{requestId}',
      unlessIdentifier(getRequestStatus, ({ captures }) => `requests/${captures[0]}`),
    ),
    get(
      alertPath('/alias'),
      '/v2/alerts/alias',
      unlessIdentifier(getAlertByAlias, () => 'alias'),
    ),
    get(alertPath('/(.+)'), '/v2/alerts/{identifier}', getAlert),
    {
      methods: ['GET', 'POST', 'PUT', 'PATCH'],
      path: heartbeatPath('/(.+)/ping'),
      name: '/v2/heartbeats/{name}/ping',
      bodiless: true,
      handle: ping,
    },
    {
      methods: ['POST'],
      path: /^\/v1\/json\/alert(?:\/.*)?$/,
      name: '/v1/json/alert',
      handle: () => Promise.reject(gone('replaced', 'Version 1 of this API was replaced: use /v2/alerts.')),
    },
    {
      methods: ['POST'],
      path: /^\/v1\/json\/[^/]+\/?$/,
      name: '/v1/json/{product}',
      isAny: true,
      handle: takeAsItIs,
    },
  ],
  tokenOf: (address) => tokenOf(address),
  withoutKeys: WITHOUT_KEYS,
  rejection: rejectionOf,
  headers: headersOf,
};

/** Muster's own API has `/v2/alerts` too, for keys of other schemes. */
function speaks(address: Address): boolean {
  const { path, headers, token, method } = address;
  if (/^\/(?:v2\/heartbeats|jsm\/ops|v1\/json)\//.test(path)) return true;
  const scheme = schemeOf(headers.authorization);
  if (scheme === 'geniekey' && (token === null || /^\/v[12]\//.test(path))) return true;
  if (!/^\/v2\/alerts(?:\/|$)/.test(path)) return false;
  if (token !== null || scheme === 'basic') return true;
  if (scheme !== '') return false;
  if (address.query.apiKey !== undefined) return true;
  return [createAlert, ...actionRoutes].some(
    (route) => route.methods.includes(method) && route.path.test(path),
  );
}

const schemeOf = (authorization = ''): string => (authorization.split(' ', 1)[0] ?? '').toLowerCase();

function tokenOf({ headers, query }: Address): string | null {
  const { authorization = '' } = headers;
  const credentials = authorization.slice(authorization.indexOf(' ') + 1).trim();
  const scheme = schemeOf(authorization);
  if (scheme === 'geniekey') return credentials;
  if (scheme === 'basic') {
    const text = Buffer.from(credentials, 'base64').toString();
    return text.split(':').findLast(isToken) ?? text;
  }
  return [query.apiKey ?? []].flat()[0] ?? null;
}

async function ping(received: Received): Promise<Reply> {
  const name = identifierIn(received.captures);
  const eventId = await pingHeartbeat(received, name, { result: 'success' });
  return queued(eventId, received.exchange, 'PONG - Heartbeat received');
}

/** Takes what a product sends to an integration of its own, for a mapping of that product. */
async function takeAsItIs({ text, accept, exchange }: Received): Promise<Reply> {
  return queued(await accept(() => text), exchange);
}
