import fc from 'fast-check';
import { hostileJson } from './values.js';

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  required?: string[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

type Components = Record<string, JsonSchema>;

const MAX_DEPTH = 5;

/**
 * Returns JSON texts that mostly fit a schema. At any place, a value that hardly fits may stand instead.
 * @param components the schemas that `$ref` names
 */
export function jsonOf(schema: JsonSchema, components: Components, depth = 0): fc.Arbitrary<string> {
  const fitting = depth > MAX_DEPTH ? fc.constant('null') : fittingJson(schema, components, depth);
  return fc.oneof({ weight: 12, arbitrary: fitting }, { weight: 1, arbitrary: hostileJson });
}

function fittingJson(schema: JsonSchema, components: Components, depth: number): fc.Arbitrary<string> {
  const named = schema.$ref?.split('/').at(-1);
  if (named !== undefined) return fittingJson(components[named] ?? {}, components, depth);
  if (schema.const !== undefined) return fc.constant(JSON.stringify(schema.const));
  if (schema.enum) return fc.constantFrom(...schema.enum.map((one) => JSON.stringify(one)));
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices) return fc.oneof(...choices.map((one) => fittingJson(one, components, depth)));
  switch ([schema.type].flat()[0]) {
    case 'object':
      return objectOf(schema, components, depth);
    case 'array':
      return fc
        .array(jsonOf(schema.items ?? {}, components, depth + 1), {
          minLength: schema.minItems ?? 0,
          maxLength: 3,
        })
        .map((items) => `[${items.join()}]`);
    case 'boolean':
      return fc.constantFrom('true', 'false');
    case 'null':
      return fc.constant('null');
    case 'integer':
    case 'number':
      return fc
        .integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 100, 2 ** 31) })
        .map(String);
    case 'string':
      return textOf(schema).map((text) => JSON.stringify(text));
    default:
      return fc.json({ maxDepth: 2 });
  }
}

function objectOf(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  components: Components,
  depth: number,
): fc.Arbitrary<string> {
  const members = Object.entries(properties).map(([name, schema]) =>
    fc
      .option(jsonOf(schema, components, depth + 1), { freq: required.includes(name) ? 20 : 1 })
      .map((value) => (value === null ? [] : [`${JSON.stringify(name)}:${value}`])),
  );
  const more = typeof additionalProperties === 'object' ? additionalProperties : {};
  const member = fc
    .tuple(fc.constantFrom('a', 'zone', '__proto__', 'constructor'), jsonOf(more, components, depth + 1))
    .map(([name, value]) => [`${JSON.stringify(name)}:${value}`]);
  const isRecord = Object.keys(properties).length === 0;
  const extra = fc.oneof(
    { weight: isRecord ? 1 : 20, arbitrary: fc.constant([]) },
    { weight: isRecord ? 3 : 1, arbitrary: member },
  );
  return fc.tuple(...members, extra).map((parts) => `{${parts.flat().join()}}`);
}

/** Returns texts that a query or a body may hold for a schema of texts or numbers. */
export function textOf({ format, enum: values, type, minimum, maximum }: JsonSchema): fc.Arbitrary<string> {
  if (values) return fc.constantFrom(...values.map(String));
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((date) => date.toISOString());
  if (type === 'boolean') return fc.constantFrom('true', 'false');
  if (type === 'integer')
    return fc.integer({ min: minimum ?? 0, max: Math.min(maximum ?? 1_000, 2 ** 31) }).map(String);
  return fc.constantFrom(
    'a',
    'ada',
    'ada@example.com',
    '7',
    'alerts',
    'webhook.a',
    '{{webhook.a}}',
    'a long text',
  );
}
