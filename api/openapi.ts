import { z } from 'zod';
import { REQUEST_HEADERS, type RequestHeader } from './request-headers.js';
import type { ResponseDoc, Route } from './route.js';

type JsonSchema = Record<string, unknown>;

/** OpenAPI 3.1 of all routes, from the very schemas that check requests. Its schemas are JSON Schema 2020-12, as zod's are. */
export function describeApi(routes: readonly Route[], publicUrl: string): JsonSchema {
  const schemas: Record<string, JsonSchema> = {};
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: describeRoute(route, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Muster', version: '2', description: 'Developer identities and alert webhooks.' },
    servers: [{ url: publicUrl }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'authorization', description: 'ApiKey <key>' },
      },
      schemas,
    },
  };
}

function describeRoute(route: Route, schemas: Record<string, JsonSchema>): JsonSchema {
  const toJson = (schema: z.ZodType, io: 'input' | 'output') => jsonSchema(schema, io, schemas);
  return {
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    ...(route.scopes === 'public'
      ? { security: [] }
      : {
          'x-scopes': route.scopes,
          description: `${route.description ?? ''}\n\nScope: ${route.scopes.join(' or ')}.`,
        }),
    parameters: [
      ...parameters('path', route.params, toJson),
      ...parameters('query', route.query, toJson),
      ...parameters('header', headersOf(route), toJson),
    ],
    ...(route.requestBody
      ? {
          requestBody: {
            required: true,
            content: content(route.requestBody, (schema) => toJson(schema, 'input')),
          },
        }
      : {}),
    responses: Object.fromEntries(
      Object.entries(route.responses).map(([status, doc]) => [
        status,
        describeResponse(doc, (schema) => toJson(schema, 'output')),
      ]),
    ),
  };
}

type ToJson = (schema: z.ZodType, io: 'input' | 'output') => JsonSchema;

function headersOf({ idempotent, headers = [] }: Route): z.ZodObject {
  const names: RequestHeader[] = [...(idempotent ? ['Idempotency-Key' as const] : []), ...headers];
  return z.object(Object.fromEntries(names.map((name) => [name, REQUEST_HEADERS[name]])));
}

function parameters(place: 'path' | 'query' | 'header', schema: z.ZodObject, toJson: ToJson): JsonSchema[] {
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !(field as z.ZodType).safeParse(undefined).success,
    schema: toJson(field as z.ZodType, 'input'),
  }));
}

function describeResponse(
  { description, body }: ResponseDoc,
  toJson: (schema: z.ZodType) => JsonSchema,
): JsonSchema {
  if (!body) return { description };
  const byType = body instanceof z.ZodType ? { 'application/json': body } : body;
  return { description, content: content(byType, toJson) };
}

const content = (byType: Record<string, z.ZodType>, toJson: (schema: z.ZodType) => JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(byType).map(([type, schema]) => [type, { schema: toJson(schema) }]));

/** A schema as JSON Schema; those with an id go to the components and are referred to. */
function jsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  schemas: Record<string, JsonSchema>,
): JsonSchema {
  const {
    $schema: _,
    $defs,
    ...json
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const override = (zodSchema as unknown as z.ZodType).meta?.()?.override as JsonSchema | undefined;
      if (!override) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema];
      Object.assign(jsonSchema, override);
    },
  }) as JsonSchema & { $defs?: Record<string, JsonSchema> };
  for (const [name, definition] of Object.entries($defs ?? {}))
    schemas[name] = relocate(definition) as JsonSchema;
  return relocate(json) as JsonSchema;
}

/** Turns references into a schema's own definitions into ones to the document's components. */
function relocate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relocate);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      // zod repeats a schema's name as its "id", which in JSON Schema would be an address.
      if (key === 'id' && typeof inner === 'string') return [];
      if (key === '$ref') return [[key, String(inner).replace('#/$defs/', '#/components/schemas/')]];
      return [[key, relocate(inner)]];
    }),
  );
}
