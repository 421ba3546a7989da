import fc from 'fast-check';
import { describeApi } from '../../../api/openapi/openapi.js';
import { routes } from '../../../api/routes/index.js';
import type { RawRequest } from './raw-request.js';
import { type JsonSchema, jsonOf, textOf } from './schema-values.js';
import { brokenJson, hostileJson, hostileText } from './values.js';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: JsonSchema;
}

interface Operation {
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
}

interface Components {
  parameters?: Record<string, Parameter>;
  schemas: Record<string, JsonSchema>;
}

const { paths, components } = (await describeApi(routes, 'http://127.0.0.1')) as unknown as {
  paths: Record<string, Record<string, Operation>>;
  components: Components;
};

/** Paths in whose place a valid request would remove what the other requests need. They get ids that do not exist. */
const isDestructive = (method: string, path: string): boolean =>
  method === 'delete' || path.endsWith('/rotate');

/** Returns requests to one operation, from nearly valid to broken. Names in braces are those of a scene. */
type Builder = fc.Arbitrary<RawRequest>;

const NAMES: [start: string, name: string][] = [
  ['/v2/jobs', '{job}'],
  ['/v2/keys', '{key}'],
  ['/v2/webhooks', '{webhook}'],
  ['/v2/events', '{event}'],
  ['/v2/alerts', '{alert}'],
];

/** Returns requests to every operation of the OpenAPI document, with the name of the operation. */
export const apiRequests = (): [operation: string, requests: Builder][] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): [string, Builder] => [
      `${method.toUpperCase()} ${path}`,
      requestsOf(method, path, operation),
    ]),
  );

function requestsOf(method: string, path: string, operation: Operation): Builder {
  const parameters = (operation.parameters ?? []).map((one) =>
    '$ref' in one ? (components.parameters?.[one.$ref.split('/').at(-1) as string] as Parameter) : one,
  );
  return fc
    .record({
      path: pathsOf(method, path),
      query: queryOf(parameters.filter((one) => one.in === 'query')),
      headers: headersOf(parameters.filter((one) => one.in === 'header')),
      body: bodyOf(operation),
    })
    .map(({ path: filled, query, headers, body }) => ({
      method: method.toUpperCase(),
      path: filled + query,
      headers: { ...headers, ...(body && { 'content-type': body.type }) },
      ...(body && { body: body.bytes }),
    }));
}

function pathsOf(method: string, path: string): fc.Arbitrary<string> {
  const known = isDestructive(method, path)
    ? '{unknown}'
    : (NAMES.find(([start]) => path.startsWith(start))?.[1] ?? '{unknown}');
  const usual = path.replace('{id}', known).replace('{webhook_id}', '{token}');
  const hostile = hostileText.map((text) =>
    path.replace(/\{\w+\}/, encodeURIComponent(text.toWellFormed()) || '%20'),
  );
  return fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: hostile });
}

const MAX_QUERY = 12_000;

function queryOf(parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const name = fc.constantFrom(...parameters.map((one) => one.name), 'surprise', '__proto__');
  const schemaOf = (wanted: string): JsonSchema => {
    const schema = parameters.find((one) => one.name === wanted)?.schema ?? {};
    return schema.anyOf?.[0] ?? schema.items ?? schema;
  };
  const pair = name.chain((wanted) =>
    fc
      .oneof({ weight: 4, arbitrary: textOf(schemaOf(wanted)) }, { weight: 1, arbitrary: hostileText })
      .map((value) => `${wanted}=${encodeURIComponent(value.toWellFormed())}`),
  );
  return fc
    .array(pair, { maxLength: 4 })
    .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&')}`.slice(0, MAX_QUERY)));
}

const HEADERS: Record<string, fc.Arbitrary<string>> = {
  accept: fc.constantFrom('*/*', 'text/csv', 'application/json;q=0', 'a/b', ';', 'text/*, */*;q=0.1'),
  range: fc.constantFrom(
    'bytes=0-0',
    'bytes=-5',
    'bytes=5-1',
    'bytes=0-1,3-4',
    'rows=1',
    'bytes=999999999999999999-',
  ),
  'if-match': fc.constantFrom('*', '"1"', 'W/"1"', '"', '1', '"1", "2"'),
  'if-none-match': fc.constantFrom('*', '"a"', ',,,', 'W/"'),
  'content-encoding': fc.constantFrom('gzip', 'br', 'identity', 'gzip, gzip', ''),
  'idempotency-key': fc.constantFrom('a', 'a b', 'x'.repeat(300), '"quoted"'),
  'x-http-method-override': fc.constant('DELETE'),
  'x-forwarded-for': fc.constantFrom('1.2.3.4', 'x'),
  origin: fc.constantFrom('https://evil.example', 'null'),
  cookie: fc.constantFrom('a=b', '=;=;', '__proto__=1'),
};

/** What Node's client can send: no other control character than the tab. */
const sendable = (text: string): string => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');

function headersOf(parameters: readonly Parameter[]): fc.Arbitrary<Record<string, string>> {
  const names = [...Object.keys(HEADERS), ...parameters.map((one) => one.name.toLowerCase())];
  const one = fc
    .constantFrom(...names)
    .chain((name) =>
      fc
        .oneof(
          { weight: 3, arbitrary: HEADERS[name] ?? fc.constant('a') },
          { weight: 1, arbitrary: hostileText },
        )
        .map((value) => [name, sendable(value)] as const),
    );
  // A request never waits for a job: there is no worker.
  return fc.array(one, { maxLength: 2 }).map((pairs) => ({
    ...Object.fromEntries(pairs),
    prefer: 'respond-async',
  }));
}

interface Body {
  type: string;
  bytes: string | Uint8Array;
}

function bodyOf({ requestBody }: Operation): fc.Arbitrary<Body | null> {
  const content = Object.entries(requestBody?.content ?? {});
  const usual = content.map(([type, { schema }]) =>
    (type === 'application/json' ? jsonOf(schema, components.schemas) : hostileText).map((bytes) => ({
      type,
      bytes,
    })),
  );
  const types = fc.constantFrom(
    'application/json',
    'application/problem+json',
    'application/json; charset=utf-16',
    'text/plain',
  );
  const broken = fc.record({ type: types, bytes: fc.oneof(brokenJson, hostileJson) });
  const none = fc.constant(null);
  if (usual.length === 0) return fc.oneof({ weight: 9, arbitrary: none }, { weight: 1, arbitrary: broken });
  return fc.oneof({ weight: 8, arbitrary: fc.oneof(...usual) }, { weight: 2, arbitrary: broken }, none);
}
