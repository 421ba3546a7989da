import { unsupportedMedia } from '../../../http/errors.js';
import { isToken } from '../../../intake/token.js';
import type { Address, Dialect, DialectRoute, Received, Reply } from '../dialect.js';
import { editMembers } from '../edit-members.js';
import { pingHeartbeat } from '../heartbeats.js';
import { operationRoutes } from './operations.js';
import {
  checkAlert,
  checkHeartbeat,
  DEFAULT_TIMEOUT,
  keyOfAlert,
  presentPosted,
  timeOf,
} from './posted-alert.js';
import { countFound, getAlert, getHeartbeat, listAlerts, listHeartbeats, MAX_LATENCY_MS } from './read.js';
import { ALIVE, ok, rejectionOf } from './replies.js';

const get = (name: string, path: RegExp, handle: DialectRoute['handle']): DialectRoute => ({
  ...{ methods: ['GET', 'HEAD'], path, name, handle },
  ...{ bodiless: true, reads: true },
});

const post = (name: string, path: RegExp, handle: DialectRoute['handle']): DialectRoute => ({
  ...{ methods: ['POST'], path, name, handle },
});

/** At the root of its host, or behind `/api`, as Alerta's container has it: https://docs.alerta.io/api/reference.html */
export const alerta: Dialect = {
  speaks,
  routes: [
    post('/alert', /^(?:\/api)?\/alert\/?$/, receiveAlert),
    ...operationRoutes,
    get('/alert/{id}', /^(?:\/api)?\/alert\/([^/]+)\/?$/, getAlert),
    get('/alerts', /^(?:\/api)?\/alerts\/?$/, listAlerts),
    get('/alerts/count', /^(?:\/api)?\/alerts\/count\/?$/, countFound),
    post('/heartbeat', /^(?:\/api)?\/heartbeat\/?$/, receiveHeartbeat),
    get('/heartbeats', /^(?:\/api)?\/heartbeats\/?$/, listHeartbeats),
    get('/heartbeat/{id}', /^(?:\/api)?\/heartbeat\/([^/]+)\/?$/, getHeartbeat),
    { ...post('/webhooks/{product}', /^(?:\/api)?\/webhooks\/[^/]+(?:\/.*)?$/, takeAsItIs), isAny: true },
    {
      methods: ['GET', 'HEAD'],
      path: /^(?:\/api)?\/(?:management\/(?:gtg|healthcheck)|_)\/?$/,
      name: '/management',
      bodiless: true,
      handle: async () => ALIVE,
    },
  ],
  tokenOf,
  rejection: rejectionOf,
};

/** Also what Muster has not: its 404 is in the words of Alerta too. */
const PATH =
  /^(\/api)?\/(alerts?|heartbeats?|webhooks|management|_|blackouts?|customers?|users?|keys?|groups?|perms?|environments|services|auth|config)(?:\/|$)/;
/** What a browser may mean by the same path is a page of the console. */
const ALERTA_ONLY = ['alert', 'heartbeat'];

function speaks(address: Address): boolean {
  const { path, token } = address;
  const [, api, noun = ''] = PATH.exec(path) ?? [];
  if (noun === '') return false;
  // Below a webhook URL, `/heartbeat/NAME` is the one of Muster.
  if (token !== null) return api !== undefined || noun !== 'heartbeat' || /^\/heartbeat\/?$/.test(path);
  return api !== undefined || ALERTA_ONLY.includes(noun) || keyOf(address) !== null;
}

/** Returns the key that is sent in a way of Alerta; null if there is none. */
function keyOf({ headers, query }: Address): string | null {
  const [, key] = /^Key (\S+)/i.exec(headers.authorization ?? '') ?? [];
  return key ?? [headers['x-api-key'] ?? query['api-key'] ?? []].flat()[0] ?? null;
}

function tokenOf(address: Address): string | null {
  const key = keyOf(address);
  if (key !== null) return key;
  const [, scheme = '', value = ''] =
    /^(Bearer|Basic) (\S+)/i.exec(address.headers.authorization ?? '') ?? [];
  if (scheme.toLowerCase() !== 'basic') return value || null;
  const parts = Buffer.from(value, 'base64').toString().split(':');
  return parts.findLast(isToken) ?? parts.at(-1) ?? null;
}

async function receiveAlert(received: Received): Promise<Reply> {
  const { body, text, accept, services } = received;
  rejectOtherTypes(received);
  checkAlert(body);
  if (body.event === HEARTBEAT_EVENT)
    return ok({ id: await pingOrigin(received), message: 'Alert converted to Heartbeat' }, 202);
  const now = services.clock.now();
  const dedupKey = keyOfAlert(body);
  const id = await accept(() => editMembers(text, { dedupKey }), dedupKey);
  return ok({ id, alert: presentPosted(body, id, now) }, 201);
}

/** Programs that have nothing but alerts send this event as a heartbeat. */
const HEARTBEAT_EVENT = 'Heartbeat';
const DEFAULT_ORIGIN = 'muster';
const [MIN_PERIOD, MAX_PERIOD] = [60, 366 * DEFAULT_TIMEOUT];

/** A heartbeat that says how long it lives is expected within that time. */
function pingOrigin(received: Received): Promise<string> {
  const { origin, timeout } = received.body;
  const periodSeconds = Math.min(Math.max(Number(timeout ?? 0), MIN_PERIOD), MAX_PERIOD);
  const settings = timeout ? { schedule: { periodSeconds }, graceSeconds: 0 } : {};
  return pingHeartbeat(received, String(origin || DEFAULT_ORIGIN), { result: 'success' }, settings);
}

async function receiveHeartbeat(received: Received): Promise<Reply> {
  const { body, services } = received;
  rejectOtherTypes(received);
  checkHeartbeat(body);
  const id = await pingOrigin(received);
  const now = services.clock.now();
  const createTime = timeOf(body, now);
  const heartbeat = {
    id,
    href: `/heartbeat/${id}`,
    origin: body.origin || DEFAULT_ORIGIN,
    tags: body.tags ?? [],
    attributes: body.attributes ?? {},
    type: body.type || 'Heartbeat',
    createTime,
    timeout: body.timeout ?? DEFAULT_TIMEOUT,
    maxLatency: MAX_LATENCY_MS,
    receiveTime: new Date(now).toISOString(),
    customer: body.customer ?? null,
    latency: now - Date.parse(createTime),
    since: 0,
    status: 'ok',
  };
  return ok({ id, heartbeat }, 201);
}

/** Takes what a product sends to a webhook of Alerta for it, for a mapping of that product. */
async function takeAsItIs({ text, accept }: Received): Promise<Reply> {
  return ok({ id: await accept(() => text) }, 201);
}

function rejectOtherTypes({ address: { headers } }: Received): void {
  if (!/^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(headers['content-type'] ?? 'application/json'))
    throw unsupportedMedia("POST and PUT requests must set 'Content-type' to 'application/json'");
}
