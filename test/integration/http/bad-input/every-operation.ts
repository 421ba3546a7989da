import type { Route } from '../../../../api/endpoint/route.js';
import { routes } from '../../../../api/routes/index.js';
import { SCOPES } from '../../../../db/access/api-keys.js';
import { CANARY } from '../../../support/hostile/scene.js';
import type { BadInput } from './case.js';

/** Webhook URLs take any query, because senders add their own. */
const isWebhookUrl = ({ path }: Route): boolean => path.startsWith('/api/');

const METHODS = ['put', 'post', 'get', 'patch'];

/** Returns the bad requests that every operation must reject in the same way. */
export const everyOperation = (): BadInput[] =>
  (routes as Route[]).flatMap((route) => [
    ...withoutAccess(route),
    ...badQueries(route),
    ...badPaths(route),
    ...badHeaders(route),
    ...badBodies(route),
  ]);

/** Fills the path's parameters with the names that the scene has for its resources. */
const SOME_ID = '0199a4c2-7b1e-7c3a-9d2f-3f5c8a1b6e70';

function pathOf({ path }: Route): string {
  if (path.startsWith('/v2/jobs')) return path.replace('{id}', '{job}');
  if (path.startsWith('/v2/roles')) return path.replace('{name}', '{role}');
  if (path.startsWith('/v2/role-grants')) return path.replace('{id}', '{roleGrant}');
  if (path.startsWith('/v2/upload-links')) return path.replace('{id}', '{uploadLink}');
  if (path.startsWith('/v2/keys')) return path.replace('{id}', '{key}');
  if (path.startsWith('/v2/webhooks')) return path.replace('{id}', '{webhook}').replace('{tokenId}', SOME_ID);
  if (path.startsWith('/v2/feeds')) return path.replace('{id}', '{feed}').replace('{runId}', '{feedRun}');
  if (path.startsWith('/v2/events')) return path.replace('{id}', '{event}');
  if (path.startsWith('/v2/alerts')) return path.replace('{id}', '{alert}');
  if (path.startsWith('/v2/destinations')) return path.replace('{id}', '{destination}');
  if (path.startsWith('/v2/by-name/destinations')) return path.replace('{name}', '{destinationName}');
  if (path.startsWith('/v2/by-name/templates')) return path;
  if (path.startsWith('/v2/by-name/account-systems')) return path.replace('{name}', '{accountSystem}');
  if (path.startsWith('/v2/by-name')) return path.replace('{name}', '{integration}');
  if (path.startsWith('/docs')) return path.replace('{name}', 'swagger-ui.css');
  return path.replace('{webhook_id}', '{token}');
}

const lineOf = (route: Route, more = ''): string => `${route.method.toUpperCase()} ${pathOf(route)}${more}`;

function* withoutAccess(route: Route): Generator<BadInput> {
  const { scopes } = route;
  if (scopes === 'public') return;
  const line = lineOf(route);
  yield ['no key', line, { as: 'nobody' }, 401, 'missing_api_key', 'authorization: ApiKey <key>'];
  yield ['a revoked key', line, { as: 'revoked' }, 401, 'invalid_api_key', 'unknown, expired or revoked'];
  const others = SCOPES.filter((scope) => !scopes.includes(scope));
  if (others.length > 0)
    yield ['a key without the scope', line, { as: others }, 403, 'missing_scope', scopes.join(' or ')];
}

function* badQueries(route: Route): Generator<BadInput> {
  if (isWebhookUrl(route)) return;
  for (const name of ['surprise', '__proto__']) {
    const line = lineOf(route, `?${name}=${CANARY}`);
    yield [`the parameter ${name}`, line, {}, 400, 'invalid_query', `${name}: unknown parameter`];
  }
  const { shape } = route.query;
  if ('pageSize' in shape)
    yield [
      'too large a page',
      lineOf(route, '?pageSize=1001'),
      {},
      400,
      'invalid_query',
      'pageSize: must be',
    ];
  if ('dryRun' in shape)
    yield ['a flag of 1', lineOf(route, '?dryRun=1'), {}, 400, 'invalid_query', 'dryRun: must be'];
}

/** Ids in paths that cannot exist: no text, a NUL, an encoded slash, a malformed escape. */
const NO_IDS = ['%20', '%00', `..%2F..%2F${CANARY}`, '%zz', '%ff', 'x'.repeat(300)];

function* badPaths(route: Route): Generator<BadInput> {
  const name = /\{\w+\}/.exec(pathOf(route))?.[0];
  if (name === undefined) return;
  // An integration may have any name of one line.
  const impossible = route.path.startsWith('/v2/by-name')
    ? NO_IDS.filter((id) => !id.includes('%2F'))
    : NO_IDS;
  for (const id of impossible) {
    const line = lineOf(route).replace(name, id);
    yield [`an impossible id in the path`, line, {}, 404, 'not_found'];
  }
}

/** Returns whether requests to one path reach the routes of another, which may have parameters. */
const isAt = (path: string, given: string): boolean => {
  const wanted = path.split('/');
  const parts = given.split('/');
  return (
    parts.length === wanted.length && wanted.every((part, at) => part === parts[at] || part.startsWith('{'))
  );
};

function* badHeaders(route: Route): Generator<BadInput> {
  const path = pathOf(route);
  const taken = (routes as Route[])
    .filter((one) => isAt(one.path, route.path))
    .map(({ method }) => method as string);
  const method = METHODS.find((one) => !taken.includes(one)) as string;
  yield [
    'an unsupported method',
    `${method.toUpperCase()} ${path}`,
    {},
    405,
    'method_not_allowed',
    '`Allow`',
  ];
  const headers = { 'content-encoding': 'br' };
  yield ['a content coding', lineOf(route), { headers, body: 'x' }, 415, 'unsupported_media_type', '"br"'];
  if (!route.idempotent) return;
  for (const key of ['x'.repeat(256), 'two words', 'é']) {
    const sent = { headers: { 'idempotency-key': key } };
    yield ['an invalid idempotency key', lineOf(route), sent, 400, 'invalid_idempotency_key', '1 to 255'];
  }
}

function* badBodies(route: Route): Generator<BadInput> {
  if (isWebhookUrl(route) || !route.requestBody || !('application/json' in route.requestBody)) return;
  const line = lineOf(route);
  const type = 'application/json';
  const xml = { type: 'text/xml', body: `<a>${CANARY}</a>` };
  yield ['XML', line, xml, 415, 'unsupported_media_type', 'application/json'];
  yield ['a body without a type', line, { body: '{}' }, 415, 'unsupported_media_type'];
  // Without a body, an export has no filters, and a plan is applied without a reason.
  if (route.operationId !== 'exportIdentities' && route.operationId !== 'applyJob')
    yield ['an empty body', line, { type, body: '' }, 400, 'empty_body', 'empty'];
  yield ['only spaces', line, { type, body: ' \n ' }, 400, 'empty_body', 'empty'];
  const broken = `[{"a":"${CANARY}",\n "b" 1}]`;
  yield ['broken JSON', line, { type, body: broken }, 400, 'malformed_json', 'line 2, column 6'];
  yield ['half of a document', line, { type, body: '[{"a":' }, 400, 'malformed_json', 'ends before'];
  const latin = Buffer.from('["caf\xe9"]', 'latin1');
  yield ['JSON that is not UTF-8', line, { type, body: latin }, 400, 'malformed_json', 'UTF-8'];
}
