import { eventIdOf } from '../../../../db/events/alerts/alert-id.js';
import type { Alert } from '../../../../db/events/alerts/alerts.js';
import { latestAlertOf } from '../../../../db/series/latest-alert.js';
import { truncate } from '../../../../workers/mapping/index.js';
import { type DialectRoute, invalidEvent, type Received, type Reply } from '../dialect.js';
import { editMembers } from '../edit-members.js';
import { isId, ownAlert, sendAgain, storedRequest } from '../stored-request.js';
import { notFound, ok } from './replies.js';

/** What people and programs do with an alert: the members of which one must say something, and what Alerta says if none does. */
const OPERATIONS: Readonly<Record<string, readonly [needs: readonly string[], missing: string]>> = {
  status: [['status'], "must supply 'status' as json data"],
  action: [['action'], "must supply 'action' as json data"],
  tag: [['tags'], "must supply 'tags' as json list"],
  untag: [['tags'], "must supply 'tags' as json list"],
  attributes: [['attributes'], "must supply 'attributes' as json data"],
  note: [['text', 'note'], "must supply 'note' text"],
};

export const operationRoutes: readonly DialectRoute[] = [
  {
    methods: ['PUT'],
    path: /^(?:\/api)?\/alert\/([^/]+)\/(status|action|tag|untag|attributes|note)\/?$/,
    name: '/alert/{id}/{operation}',
    handle: operate,
  },
  {
    methods: ['DELETE'],
    path: /^(?:\/api)?\/alert\/([^/]+)\/?$/,
    name: '/alert/{id}',
    bodiless: true,
    handle: operate,
  },
];

async function operate(received: Received): Promise<Reply> {
  const { body, text, accept, captures } = received;
  const [alert, operation = 'delete'] = captures;
  const [needs, missing] = OPERATIONS[operation] ?? [[], ''];
  const said = needs.map((name) => body[name]).find(Boolean);
  if (needs.length > 0 && !said) throw invalidEvent(400, [{ field: needs[0] ?? '', message: missing }]);
  const dedupKey = await keyOf(received).catch(sendAgain);
  if (dedupKey === null) throw notFound();
  const eventId = await accept(() => editMembers(text, { operation, dedupKey }), dedupKey);
  if (operation !== 'note') return ok();
  return ok(
    { id: eventId, note: { id: eventId, text: said, ...NOTE, createTime: now(), related: { alert } } },
    201,
  );
}

const NOTE = { user: null, attributes: {}, type: 'alert', updateTime: null, customer: null };
const now = (): string => new Date().toISOString();

/**
 * Returns the key of the alert that a request means; null if there is none. An id is that of an alert, or of the request that sent it.
 * @throws RequestError 404 `not_stored_yet`
 */
async function keyOf(received: Received): Promise<string | null> {
  const [id = ''] = received.captures;
  if (!isId(id)) return null;
  const alert = await ownAlert(received, id);
  // The key of an alert may be a part of what was sent.
  const sent = await storedRequest(
    received,
    eventIdOf((alert?.id ?? id).toLowerCase()),
    alert ? 0 : undefined,
  );
  return typeof sent?.body.dedupKey === 'string' ? sent.body.dedupKey : (alert?.dedupKey ?? null);
}

/**
 * Returns the alert that a request means: with an id, or that of the problem which was sent with it.
 * @throws RequestError 404
 */
export async function alertOf(received: Received): Promise<Alert> {
  const { services, target, captures } = received;
  const [id = ''] = captures;
  const exact = isId(id) ? await ownAlert(received, id) : null;
  if (exact) return exact;
  const key = await keyOf(received);
  const alert =
    key && (await latestAlertOf(services.database, target.webhook.id, truncate(key.trim(), 'key')));
  if (!alert) throw notFound();
  return alert;
}
