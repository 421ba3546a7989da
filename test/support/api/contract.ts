import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describeApi } from '../../../api/openapi/openapi.js';
import { routes } from '../../../api/routes/index.js';

/** A response as it arrived; of one to HEAD `text` is empty. */
export interface Arrived {
  status: number;
  headers: Headers;
  text: string;
}

interface ResponseObject {
  headers?: Record<string, { required: boolean; schema: object }>;
  content?: Record<string, { schema: object }>;
}
type Operation = { responses: Record<string, ResponseObject | { $ref: string }> };

/** Headers that any response may have: HTTP's own, and those of koa-helmet. */
const GENERAL_HEADERS = new Set(
  `connection content-encoding content-length content-type date keep-alive transfer-encoding vary
  content-security-policy cross-origin-opener-policy cross-origin-resource-policy origin-agent-cluster referrer-policy
  strict-transport-security x-content-type-options x-dns-prefetch-control x-download-options x-frame-options
  x-permitted-cross-domain-policies x-xss-protection`.split(/\s+/),
);

const document = closeObjects(await describeApi(routes, 'http://127.0.0.1')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, ResponseObject> };
};
const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema(document, 'document');
const validators = new Map<string, ValidateFunction>();

/**
 * Checks a response against the OpenAPI document, strictly: a status, header, media type or property that the document
 * does not name is an error as much as a missing or wrong one. Paths outside the document (the console, the queue
 * dashboard, retired paths) are not looked at, except that their errors have the one error body.
 *
 * @param path with its query
 * @throws Error that lists every difference
 */
export function checkContract(method: string, path: string, arrived: Arrived): void {
  const found = findOperation(method, path);
  const problems = found
    ? [...differences(found.pointer, found.operation, method, arrived)]
    : [...unrouted(arrived, method)];
  if (problems.length === 0) return;
  const shown = arrived.text.slice(0, 2_000);
  throw new Error(
    `${method} ${path}: the ${arrived.status} differs from the OpenAPI document:\n- ${problems.join('\n- ')}\n${shown}`,
  );
}

/** Returns the operation of a request as the document names it, such as `GET /v2/jobs/{id}`; null if it describes none. */
export const operationOf = (method: string, path: string): string | null =>
  findOperation(method, path)?.name ?? null;

/** All operations of the document. */
export const OPERATIONS: readonly string[] = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
);

const templates = Object.keys(document.paths)
  .map((template) => ({ template, pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}/?$`) }))
  // A path without parameters is the better match: /v2/keys/current before /v2/keys/{id}.
  .sort((a, b) => a.template.split('{').length - b.template.split('{').length);

function findOperation(method: string, path: string) {
  const [pathname = ''] = path.split(/[?#]/);
  const wanted = method === 'HEAD' ? 'get' : method.toLowerCase();
  for (const { template, pattern } of templates) {
    const operation = pattern.test(pathname) ? document.paths[template]?.[wanted] : undefined;
    if (!operation) continue;
    const pointer = `#/paths/${escapePointer(template)}/${wanted}`;
    return { operation, pointer, name: `${wanted.toUpperCase()} ${template}` };
  }
  return null;
}

function* differences(
  pointer: string,
  { responses }: Operation,
  method: string,
  arrived: Arrived,
): Generator<string> {
  const described = responses[arrived.status];
  if (!described) return yield `status ${arrived.status} is not documented`;
  const reference = '$ref' in described ? described.$ref : `${pointer}/responses/${arrived.status}`;
  const name = reference.split('/').at(-1) as string;
  const response = '$ref' in described ? (document.components.responses[name] as ResponseObject) : described;
  yield* headerDifferences(response, reference, arrived.headers);
  if (method !== 'HEAD') yield* bodyDifferences(response, reference, arrived);
}

function* headerDifferences(
  { headers: documented = {} }: ResponseObject,
  reference: string,
  headers: Headers,
): Generator<string> {
  const names = new Map(Object.keys(documented).map((name) => [name.toLowerCase(), name]));
  for (const [name, { required, schema }] of Object.entries(documented)) {
    const value = headers.get(name);
    if (value === null) {
      if (required) yield `header ${name} is missing`;
      continue;
    }
    const isNumber = (schema as { type?: string }).type === 'integer';
    yield* violations(
      `${reference}/headers/${name}/schema`,
      isNumber ? Number(value) : value,
      `header ${name}`,
    );
  }
  for (const [name] of headers) {
    if (!GENERAL_HEADERS.has(name) && !names.has(name)) yield `header ${name} is not documented`;
  }
}

function* bodyDifferences(
  { content }: ResponseObject,
  reference: string,
  { status, headers, text }: Arrived,
): Generator<string> {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  if (!content) {
    if (text !== '') yield 'a body is not documented';
    return;
  }
  const key = [type, '*/*'].find((one) => one in content);
  if (key === undefined) return yield `media type "${type}" is not documented`;
  if (type === 'application/json')
    yield* violations(
      `${reference}/content/${escapePointer(key)}/schema`,
      JSON.parse(text),
      `the body of ${status}`,
    );
}

/** Responses that no operation describes: an unknown path or method, or pages for people. */
function* unrouted({ status, headers, text }: Arrived, method: string): Generator<string> {
  const json = headers.get('content-type')?.startsWith('application/json');
  if (status < 400 || !json || method === 'HEAD') return;
  yield* violations('#/components/schemas/Error', JSON.parse(text), `the body of ${status}`);
}

function* violations(pointer: string, value: unknown, what: string): Generator<string> {
  let validate = validators.get(pointer);
  if (!validate) {
    validate = ajv.compile({ $ref: `document${encodeURI(pointer)}` });
    validators.set(pointer, validate);
  }
  if (validate(value)) return;
  for (const { instancePath, message, params } of validate.errors ?? [])
    yield `${what}${instancePath}: ${message} ${JSON.stringify(params)}`;
}

const escapePointer = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** Responses are open in the document, so that later versions may add properties. Here an undocumented one is an error. */
function closeObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeObjects);
  if (typeof value !== 'object' || value === null) return value;
  const closed = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closeObjects(inner)]));
  const isObject = closed.type === 'object' && closed.properties && !('additionalProperties' in closed);
  return isObject ? { ...closed, additionalProperties: false } : closed;
}
