import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { z } from 'zod';
import { REQUEST_HEADERS, type RequestHeader } from '../endpoint/request-headers.js';
import { RESPONSE_HEADERS, type ResponseHeader } from '../endpoint/response-headers.js';
import type { ResponseDoc, Route } from '../endpoint/route.js';
import { errorExample } from './error-examples.js';
import { requestExample, responseExample } from './examples.js';
import { errorDoc, isShared, responsesOf } from './responses.js';
import { ComponentSchemas, type JsonSchema } from './schemas.js';

const TAGS: Record<string, string> = {
  Identity: 'The accounts of developers in account systems, and who owns them',
  'Account system': 'The names of account systems',
  'Account system file': 'Account systems as documents',
  Feed: 'Files of identities that are fetched on a schedule',
  Job: 'Background jobs: uploads, exports and remaps',
  Webhook: 'Integrations that receive events, and their mappings',
  'Integration file':
    'Integrations as documents, for files in a repository and for other tools that keep them',
  'Destination file': 'Destinations as documents',
  Table: 'Lookup tables, in which mappings find what a payload does not say',
  Template: 'Templates of the catalogue and saved ones: a mapping and a sample payload each',
  'Template file': 'Saved templates as documents',
  Heartbeat: 'Jobs of other systems that are expected to report, and their pings',
  Event: 'Requests to webhooks, and their outcome',
  Alert: 'Alerts created from events',
  Destination: 'Receivers that are told of alerts, and their messages',
  'API key': 'API keys and their scopes',
  Role: 'Lists of scopes with a name, and whom they are granted to',
  'Upload link': 'Links with which people upload files for one account system without an API key',
  'Audit log': 'Who changed what, and when',
  Health: 'Liveness, readiness, queues and metrics',
  Documentation: 'The documentation of this API',
};

/**
 * Resolves to the OpenAPI 3.1 document of all routes, built from the schemas that also check requests. In a fresh process that takes about
 * 0.5 s of CPU, so other requests get a turn after each route.
 */
export async function describeApi(routes: readonly Route[], publicUrl: string): Promise<JsonSchema> {
  const components = new Components();
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: describeRoute(route, components) };
    await yieldToOthers();
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Muster',
      version: '2',
      description:
        'Developer identities and alert webhooks. Every error has the same body, see `Error`. Later versions may add ' +
        'properties to responses: ignore properties that you do not know.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this service', url: publicUrl },
    },
    servers: [{ url: publicUrl }],
    // A generated client takes the first: a key alone is a Bearer token, while `ApiKey` needs the word before it.
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: components.describe(),
  };
}

/** The components that paths refer to. */
class Components extends ComponentSchemas {
  readonly #responses: Record<string, JsonSchema> = {};

  /** Returns a response, or a reference to the error response that all routes share for this status. */
  response(operationId: string, status: number, doc: ResponseDoc): JsonSchema {
    if (!isShared(status, doc)) return describeResponse(doc, this, responseExample(operationId, status));
    const name = `Error${status}`;
    this.#responses[name] ??= describeResponse(errorDoc(status), this, errorExample(status));
    return { $ref: `#/components/responses/${name}` };
  }

  describe(): JsonSchema {
    return {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'authorization',
          description: '`ApiKey` followed by a space and the key, such as `ApiKey mstr_…`',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The same key as a Bearer token, for clients that know no other scheme',
        },
      },
      schemas: this.schemas,
      responses: this.#responses,
    };
  }
}

function describeRoute(route: Route, components: Components): JsonSchema {
  const { operationId, tag, summary, requestBody } = route;
  return {
    operationId,
    tags: [tag],
    summary,
    description: descriptionOf(route),
    ...(route.scopes === 'public' ? { security: [] } : { 'x-scopes': route.scopes }),
    parameters: [
      ...parameters('path', route.params, components),
      ...parameters('query', route.query, components),
      ...parameters('header', headersOf(route), components),
    ],
    ...(requestBody
      ? {
          requestBody: {
            required: !takesNoMembers(requestBody),
            content: content(requestBody, 'input', components, requestExample(operationId)),
          },
        }
      : {}),
    responses: Object.fromEntries(
      Object.entries(responsesOf(route)).map(([status, doc]) => [
        status,
        components.response(operationId, Number(status), doc),
      ]),
    ),
  };
}

/** Whether the body may be left out, see `readJson`. */
const takesNoMembers = (bodies: NonNullable<Route['requestBody']>): boolean =>
  Object.values(bodies).some((schema) => schema instanceof z.ZodObject && schema.safeParse({}).success);

function descriptionOf({ summary, description, scopes }: Route): string {
  const scope = scopes === 'public' ? 'Requires no API key.' : `Scope: ${scopes.join(' or ')}.`;
  return `${description ?? `${summary}.`}\n\n${scope}`;
}

function headersOf({ etag, idempotent, headers = [] }: Route): z.ZodObject {
  const names: RequestHeader[] = [
    ...(idempotent ? (['Idempotency-Key'] as const) : []),
    ...(etag ? (['If-None-Match'] as const) : []),
    ...headers,
  ];
  return z.object(Object.fromEntries(names.map((name) => [name, REQUEST_HEADERS[name]])));
}

function parameters(
  place: 'path' | 'query' | 'header',
  schema: z.ZodObject,
  components: Components,
): JsonSchema[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const { description, ...json } = components.toJson(field as z.ZodType, 'input');
    return {
      name,
      in: place,
      required: place === 'path' || !(field as z.ZodType).safeParse(undefined).success,
      ...(description ? { description } : {}),
      schema: json,
    };
  });
}

function describeResponse(
  { description, body, headers = {} }: ResponseDoc,
  components: Components,
  example: unknown,
): JsonSchema {
  const byType = body instanceof z.ZodType ? { 'application/json': body } : body;
  return {
    description,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, presence]) => [
        name,
        describeHeader(name as ResponseHeader, presence === 'always', components),
      ]),
    ),
    ...(byType ? { content: content(byType, 'output', components, example) } : {}),
  };
}

function describeHeader(name: ResponseHeader, required: boolean, components: Components): JsonSchema {
  const { description, ...schema } = components.toJson(RESPONSE_HEADERS[name], 'output');
  return { description, required, schema };
}

const content = (
  byType: Record<string, z.ZodType>,
  direction: 'input' | 'output',
  components: Components,
  example: unknown,
): JsonSchema =>
  Object.fromEntries(
    Object.entries(byType).map(([type, schema]) => [
      type,
      {
        schema: components.toJson(schema, direction),
        ...(type === 'application/json' && example !== undefined ? { example } : {}),
      },
    ]),
  );
