import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** `input` describes what a client sends, `output` what the service sends. */
type Direction = 'input' | 'output';

/**
 * Converts zod schemas to JSON Schema 2020-12, the dialect of OpenAPI 3.1. A schema with an `id` becomes a component of the
 * document, and is replaced by a reference wherever it occurs.
 */
export class ComponentSchemas {
  /** By id. */
  readonly schemas: Record<string, JsonSchema> = {};

  /** @throws Error if two different schemas have the same id */
  toJson(schema: z.ZodType, direction: Direction): JsonSchema {
    // Wrapped, because zod does not replace the outermost schema by a reference.
    const { $defs = {}, properties } = z.toJSONSchema(z.object({ it: schema }), {
      io: direction,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => replaceOverridden(zodSchema, jsonSchema),
    }) as unknown as { $defs?: Record<string, JsonSchema>; properties: { it: JsonSchema } };
    for (const [name, definition] of Object.entries($defs)) this.#put(name, adapt(definition, direction));
    return adapt(properties.it, direction);
  }

  #put(name: string, schema: JsonSchema): void {
    const known = this.schemas[name];
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two schemas of the document have the id ${name}`);
    this.schemas[name] = schema;
  }
}

/** Replaces what zod derives by the JSON Schema in `override`, because zod cannot describe transformations. */
function replaceOverridden(schema: z.core.$ZodType, jsonSchema: JsonSchema): void {
  const override = (schema as z.ZodType).meta?.()?.override as JsonSchema | undefined;
  if (!override) return;
  const { description, examples } = jsonSchema;
  for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
  Object.assign(jsonSchema, {
    ...(description ? { description } : {}),
    ...(examples ? { examples } : {}),
    ...override,
  });
}

/** Adapts a schema, with everything in it, to an OpenAPI document. */
function adapt(schema: JsonSchema, direction: Direction): JsonSchema {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) => {
        if (isZodOnly(key, inner, direction)) return [];
        if (key === '$ref') return [[key, String(inner).replace('#/$defs/', '#/components/schemas/')]];
        // Examples are data: a field named `id` must remain.
        return [[key, key === 'examples' ? inner : visit(inner)]];
      }),
    );
  };
  return visit(schema) as JsonSchema;
}

/**
 * Returns whether a keyword that zod writes does not belong in the document: the name of a schema as "id", which would be
 * a URL; our own "override"; and "additionalProperties": false in a response, because a later version may add properties.
 */
const isZodOnly = (key: string, value: unknown, direction: Direction): boolean =>
  (key === 'id' && typeof value === 'string') ||
  key === 'override' ||
  (key === 'additionalProperties' && value === false && direction === 'output');
