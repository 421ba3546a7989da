import { type Body, type DialectRoute, invalidEvent, type Received, type Reply } from '../dialect.js';
import { editMembers } from '../edit-members.js';
import { identifierIn } from '../identifier-in.js';
import { aliasOf } from './identifiers.js';
import { alertPath } from './paths.js';
import { queued } from './replies.js';

const PRIORITIES = ['P1', 'P2', 'P3', 'P4', 'P5'];

/** What a person or program does with an alert. `action` is what Opsgenie calls it in its own webhooks. */
interface Action {
  method: string;
  segment: string;
  action: string;
  /** The member that says what is changed. */
  needs?: string;
  /** The parameter of the query that does, as a list. */
  lists?: string;
}

const ACTIONS: readonly Action[] = [
  { method: 'POST', segment: 'close', action: 'Close' },
  { method: 'POST', segment: 'acknowledge', action: 'Acknowledge' },
  { method: 'POST', segment: 'unacknowledge', action: 'UnAcknowledge' },
  { method: 'POST', segment: 'snooze', action: 'Snooze', needs: 'endTime' },
  { method: 'POST', segment: 'assign', action: 'AssignOwnership', needs: 'owner' },
  { method: 'POST', segment: 'escalate', action: 'Escalate', needs: 'escalation' },
  { method: 'POST', segment: 'responders', action: 'AddResponder', needs: 'responder' },
  { method: 'POST', segment: 'teams', action: 'AddTeam', needs: 'team' },
  { method: 'POST', segment: 'notes', action: 'AddNote', needs: 'note' },
  { method: 'POST', segment: 'tags', action: 'AddTags', needs: 'tags' },
  { method: 'DELETE', segment: 'tags', action: 'RemoveTags', lists: 'tags' },
  { method: 'POST', segment: 'details', action: 'AddDetails', needs: 'details' },
  { method: 'DELETE', segment: 'details', action: 'RemoveDetails', lists: 'keys' },
  { method: 'PUT', segment: 'priority', action: 'UpdatePriority', needs: 'priority' },
  { method: 'PUT', segment: 'message', action: 'UpdateMessage', needs: 'message' },
  { method: 'PUT', segment: 'description', action: 'UpdateDescription', needs: 'description' },
];

/** Version 1 of the API had the key in the body, and some programs still send it. */
export const WITHOUT_KEYS = { apiKey: undefined };

export const createAlert: DialectRoute = {
  methods: ['POST'],
  path: alertPath(''),
  name: '/v2/alerts',
  handle: create,
};

/** The routes of all actions. */
export const actionRoutes: readonly DialectRoute[] = [
  ...ACTIONS.map(
    (action): DialectRoute => ({
      methods: [action.method],
      path: alertPath(`/(.+)/${action.segment}`),
      name: `/v2/alerts/{identifier}/${action.segment}`,
      ...(action.method === 'DELETE' ? { bodiless: true } : {}),
      handle: (received) => act(received, action),
    }),
  ),
  {
    methods: ['POST'],
    path: alertPath('/(.+)/actions/([^/]+)'),
    name: '/v2/alerts/{identifier}/actions/{action}',
    handle: (received) =>
      act(received, { action: 'CustomAction' }, { actionName: identifierIn(received.captures.slice(1)) }),
  },
  {
    methods: ['DELETE'],
    path: alertPath('/(.+)'),
    name: '/v2/alerts/{identifier}',
    bodiless: true,
    handle: (received) => act(received, { action: 'Delete' }),
  },
];

async function create({ body, text, exchange, accept }: Received): Promise<Reply> {
  checkMember(body, 'message');
  checkPriority(body);
  const { alias } = body;
  // As a text, all of them would be the same.
  if (typeof alias === 'object' && alias !== null)
    throw invalidEvent(422, [{ field: 'alias', message: 'should be a string' }]);
  const given = isBlank(alias) ? null : String(alias);
  // Without an alias, an alert has its id as the alias. The id of the request leads to it too.
  const write = (id: string) => editMembers(text, { ...WITHOUT_KEYS, action: 'Create', alias: given ?? id });
  return queued(await accept(write, given), exchange);
}

async function act(
  received: Received,
  { action, needs, lists }: Pick<Action, 'action' | 'needs' | 'lists'>,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Reply> {
  const { body, text, address, captures, exchange, accept } = received;
  if (needs) checkMember(body, needs);
  if (needs === 'priority') checkPriority(body);
  const { user, source, note } = address.query;
  const listed = lists && listOf(lists, address.query[lists]);
  const alias = await aliasOf(received);
  const identifier = identifierIn(captures);
  const members = {
    ...WITHOUT_KEYS,
    action,
    alias,
    ...(identifier === alias ? {} : { identifier }),
    ...more,
    ...(listed ? { [lists]: listed } : {}),
    ...(address.method === 'DELETE' ? { user, source, note } : {}),
  };
  return queued(await accept(() => editMembers(text, members), alias), exchange);
}

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';

/** @throws RequestError 422 if a member is missing. Its length does not matter: all of a text is kept */
function checkMember(body: Body, name: string): void {
  const value = body[name];
  if (isBlank(value) || (typeof value === 'string' && value.trim() === ''))
    throw invalidEvent(422, [{ field: name, message: 'may not be empty' }]);
}

function checkPriority({ priority }: Body): void {
  if (isBlank(priority) || PRIORITIES.some((one) => one === priority)) return;
  throw invalidEvent(422, [{ field: 'priority', message: `should be one of [ ${PRIORITIES.join(', ')} ]` }]);
}

/** @throws RequestError 422 without an element */
function listOf(name: string, value: string | string[] | undefined): string[] {
  const texts = [value ?? []].flat().flatMap((text) => text.split(','));
  const listed = texts.map((text) => text.trim()).filter((text) => text !== '');
  if (listed.length > 0) return listed;
  throw invalidEvent(422, [{ field: name, message: 'may not be empty' }]);
}
