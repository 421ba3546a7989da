import { expect, test } from '@jest/globals';
import { describeApi } from '../../../api/openapi/openapi.js';
import { routes } from '../../../api/routes/index.js';

interface Schema {
  $ref?: string;
  type?: string | string[];
  [keyword: string]: unknown;
}
interface Parameter {
  name: string;
  in: string;
  description?: string;
  schema: Schema;
}
type Content = Record<string, { schema: Schema; example?: unknown }>;
interface Operation {
  operationId: string;
  tags: string[];
  description: string;
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description?: string; $ref?: string; content?: Content }>;
}
const document = (await describeApi(routes, 'https://muster.internal')) as unknown as {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, { content: Content }> };
};
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const places = (describe: (operation: Operation) => string[]): string[] =>
  operations.flatMap((operation) => describe(operation).map((place) => `${operation.operationId}: ${place}`));

test('no operation has parameters that generators give the same name', () => {
  const asWord = (name: string) => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
  expect(
    places(({ parameters }) => {
      const words = parameters.map(({ name }) => asWord(name));
      return words.filter((word, index) => words.indexOf(word) !== index);
    }),
  ).toEqual([]);
});

test('every operation has a unique id, a described tag and a description', () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(routes.length);
  expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
  const tags = new Map(document.tags.map(({ name, description }) => [name, description]));
  for (const { tags: own, description } of operations) {
    expect(own.map((tag) => tags.get(tag))).toEqual([expect.stringMatching(/\w/)]);
    expect(description).toMatch(/\w/);
  }
});

/** Returns whether a schema limits what a client may send. */
function isLimited(schema: Schema): boolean {
  if (schema.$ref || schema.enum || schema.const !== undefined) return true;
  if (schema.type === 'boolean') return true;
  if (schema.anyOf) return (schema.anyOf as Schema[]).every(isLimited);
  if (schema.type === 'integer')
    return typeof schema.minimum === 'number' && typeof schema.maximum === 'number';
  if (schema.type === 'array')
    return typeof schema.maxItems === 'number' && isLimited(schema.items as Schema);
  return Boolean(schema.format ?? schema.pattern ?? schema.maxLength);
}

test('every parameter has a description, a type and limits', () => {
  const lacking = places(({ parameters }) =>
    parameters.flatMap(({ name, description, schema }) => [
      ...(description ? [] : [`${name} has no description`]),
      ...(isLimited(schema) ? [] : [`${name} has no limits: ${JSON.stringify(schema)}`]),
    ]),
  );
  expect(lacking).toEqual([]);
});

test('parameters with the values true and false are booleans', () => {
  const flags = operations.flatMap(({ parameters }) =>
    parameters.filter(({ name }) => ['dryRun', 'includeTotal', 'escapeFormulas'].includes(name)),
  );
  expect(flags.length).toBeGreaterThan(4);
  expect(new Set(flags.map(({ schema }) => schema.type))).toEqual(new Set(['boolean']));
});

test('every JSON body has an example', () => {
  const without = (content: Content | undefined, place: string) =>
    content?.['application/json'] && content['application/json'].example === undefined ? [place] : [];
  const lacking = places(({ requestBody, responses }) => [
    ...without(requestBody?.content, 'request'),
    ...Object.entries(responses).flatMap(([status, { content }]) => without(content, status)),
  ]);
  expect(lacking).toEqual([]);
  for (const [name, { content }] of Object.entries(document.components.responses))
    expect([name, without(content, name)]).toEqual([name, []]);
});
