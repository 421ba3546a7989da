import { type Dialect, isObject, type Received, type Reply } from '../dialect.js';
import { editMembers } from '../edit-members.js';
import { Check, checkedKey, keyOf, rejectionOf } from './faults.js';

const ACTIONS = ['trigger', 'acknowledge', 'resolve'];
const SEVERITIES = ['critical', 'warning', 'error', 'info'];
/** Returns whether an action is about an alert that exists. */
const isAboutKey = (action: unknown): boolean => action === 'acknowledge' || action === 'resolve';
const WITHOUT_KEYS = { routing_key: undefined, service_key: undefined };
const NO_PAYLOAD = "'payload' is missing or not an object";

/** Events v2: https://developer.pagerduty.com/docs/events-api-v2-overview */
export const pagerDutyV2: Dialect = {
  speaks: ({ path }) => path.startsWith('/v2/enqueue') || path.startsWith('/v2/change/enqueue'),
  routes: [
    { methods: ['POST'], path: /^\/v2\/enqueue\/?$/, name: '/v2/enqueue', handle: enqueue },
    {
      methods: ['POST'],
      path: /^\/v2\/change\/enqueue\/?$/,
      name: '/v2/change/enqueue',
      handle: enqueueChange,
    },
  ],
  // Kibana sends the key only in the header.
  tokenOf: ({ headers }, member) =>
    checkedKey('routing_key', member?.('routing_key') || headers['x-routing-key']) ??
    (member ? null : undefined),
  withoutKeys: WITHOUT_KEYS,
  rejection: (error) => rejectionOf(error, 429),
};

/** Events v1, which PagerDuty keeps: https://developer.pagerduty.com/docs/events-api-v1-overview */
export const pagerDutyV1: Dialect = {
  speaks: ({ path }) => path.startsWith('/generic/2010-04-15/'),
  routes: [
    {
      methods: ['POST'],
      path: /^\/generic\/2010-04-15\/create_event\.json\/?$/,
      name: '/generic/2010-04-15/create_event.json',
      handle: createEvent,
    },
  ],
  tokenOf: (_address, member) => (member ? checkedKey('service_key', member('service_key')) : undefined),
  withoutKeys: WITHOUT_KEYS,
  // With 403, senders try again.
  rejection: (error) => rejectionOf(error, 403),
};

async function enqueue({ body, text, accept }: Received): Promise<Reply> {
  const check = new Check();
  check.word(body, 'event_action', ACTIONS);
  const isTrigger = body.event_action === 'trigger';
  const given = keyOf(check, body, 'dedup_key', isAboutKey(body.event_action));
  if (isTrigger) {
    const { payload } = body;
    if (isObject(payload)) {
      check.text(payload, 'summary', 'payload.summary');
      check.text(payload, 'source', 'payload.source');
      check.word(payload, 'severity', SEVERITIES, 'payload.severity');
    } else check.fault('payload', NO_PAYLOAD);
  }
  check.done();
  const key = await acceptWithKey({ text, accept }, 'dedup_key', given);
  return { status: 202, body: { status: 'success', message: 'Event processed', dedup_key: key } };
}

async function enqueueChange({ body, text, accept }: Received): Promise<Reply> {
  const check = new Check();
  const { payload } = body;
  if (isObject(payload)) check.text(payload, 'summary', 'payload.summary');
  else check.fault('payload', NO_PAYLOAD);
  check.done();
  await accept(() => editMembers(text, { ...WITHOUT_KEYS, event_action: 'change' }));
  return { status: 202, body: { status: 'success', message: 'Change event processed' } };
}

async function createEvent({ body, text, accept }: Received): Promise<Reply> {
  const check = new Check();
  check.word(body, 'event_type', ACTIONS);
  const isTrigger = body.event_type === 'trigger';
  const given = keyOf(check, body, 'incident_key', isAboutKey(body.event_type));
  if (isTrigger) check.text(body, 'description');
  check.done();
  const key = await acceptWithKey({ text, accept }, 'incident_key', given);
  return { status: 200, body: { status: 'success', message: 'Event processed', incident_key: key } };
}

/**
 * Accepts an event without the key of its integration, which is a secret. An event without a deduplication key gets the id of the event, which the
 * sender keeps for the end of the problem.
 */
async function acceptWithKey(
  { text, accept }: Pick<Received, 'text' | 'accept'>,
  name: string,
  given: string | null,
): Promise<string> {
  const write = (id: string) =>
    editMembers(text, { ...WITHOUT_KEYS, ...(given === null ? { [name]: id } : {}) });
  const id = await accept(write, given);
  return given ?? id;
}
