import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** `input` describes what a client sends, `output` what the service sends. */
type Direction = 'input' | 'output';

/**
 * Turns zod schemas into JSON Schema 2020-12, the dialect of OpenAPI 3.1. A schema with an `id` becomes a component of
 * the document, and a reference to it takes its place wherever it occurs.
 */
export class ComponentSchemas {
  /** By id. */
  readonly schemas: Record<string, JsonSchema> = {};

  /** @throws Error when one id names two different schemas */
  toJson(schema: z.ZodType, direction: Direction): JsonSchema {
    // Wrapped, because zod does not make a reference of the outermost schema.
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

/** Puts the JSON Schema under `override` in the place of what zod derives, which knows nothing of transformations. */
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

/** Adapts one schema to its place in an OpenAPI document, with all that it contains. */
function adapt(schema: JsonSchema, direction: Direction): JsonSchema {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) => {
        if (isZods(key, inner, direction)) return [];
        if (key === '$ref') return [[key, String(inner).replace('#/$defs/', '#/components/schemas/')]];
        // Examples are data: a field that is called `id` stays.
        return [[key, key === 'examples' ? inner : visit(inner)]];
      }),
    );
  };
  return visit(schema) as JsonSchema;
}

/**
 * True of keywords that zod writes and that do not belong into the document: a schema's name as its "id", which would be
 * an address, our own "override", and that a response has no other properties, because a later version may add some.
 */
const isZods = (key: string, value: unknown, direction: Direction): boolean =>
  (key === 'id' && typeof value === 'string') ||
  key === 'override' ||
  (key === 'additionalProperties' && value === false && direction === 'output');
