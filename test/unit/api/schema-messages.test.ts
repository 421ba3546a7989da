import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { routes } from '../../../api/routes/index.js';
import { readApiSettings } from '../../../api/settings.js';
import { compileMapping } from '../../../workers/mapping/index.js';
import { readWorkerSettings } from '../../../workers/run/settings.js';

/** Phrases of zod's default messages. */
const LIBRARY_WORDS =
  /invalid (input|option|key|element|uuid|url|iso|string|datetime|number|type)|expected |received |too (small|big)|unrecognized/i;

const JUNK = [
  undefined,
  null,
  true,
  0,
  -1,
  0.5,
  1e300,
  Number.NaN,
  '',
  'x',
  ' ',
  [],
  ['x'],
  {},
  { x: 1 },
  [[]],
];

/** Returns the messages of all issues, including those of a union's alternatives. */
const messagesOf = (issues: readonly z.core.$ZodIssue[]): string[] =>
  issues.flatMap((issue) => [
    issue.message,
    ...(issue.code === 'invalid_union' ? issue.errors.flatMap(messagesOf) : []),
  ]);

function rejections(schema: z.ZodType, values: readonly unknown[]): string[] {
  return values.flatMap((value) => {
    const result = schema.safeParse(value);
    return result.success ? [] : messagesOf(result.error.issues);
  });
}

/** Returns the members of a schema by name, through the wrappers of an object. */
function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  if (schema instanceof z.ZodObject) return schema.shape as Record<string, z.ZodType>;
  if (schema instanceof z.ZodUnion)
    return Object.assign({}, ...(schema.options as z.ZodType[]).map((option) => shapeOf(option)));
  return {};
}

/** Returns invalid values for the whole, and for each member. */
const wrongValues = (schema: z.ZodType): unknown[] => [
  ...JUNK,
  ...Object.keys(shapeOf(schema)).flatMap((name) => JUNK.map((value) => ({ [name]: value }))),
];

describe.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_, route) => {
  const bodies = Object.values(route.requestBody ?? {});
  test.each([route.query, route.params, ...bodies].map((schema, number) => [number, schema] as const))(
    'schema %d reports invalid values with our own messages',
    (_, schema) => {
      const messages = rejections(schema, wrongValues(schema));
      expect(messages.filter((message) => LIBRARY_WORDS.test(message))).toEqual([]);
    },
  );
});

test('rejects every invalid mapping with our own messages', () => {
  const field = fc.oneof(fc.jsonValue(), fc.record({ template: fc.jsonValue(), values: fc.jsonValue() }));
  const mapping = fc.record(
    {
      split: fc.jsonValue(),
      expandJson: fc.jsonValue(),
      fields: fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom('title', 'severity', 'x'), field)),
      custom: fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), field)),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(mapping, (input) => {
      const result = compileMapping(input);
      const messages = 'errors' in result ? result.errors.map(({ message }) => message) : [];
      expect(messages.filter((message) => LIBRARY_WORDS.test(message))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('the error for an invalid custom field name describes the allowed names', () => {
  const result = compileMapping({ fields: {}, custom: { 'no spaces': { template: 'x' } } });
  expect(result).toEqual({
    errors: [
      {
        field: 'custom.no spaces',
        code: 'invalid_mapping',
        message: 'must be a name of 1 to 64 letters, digits, _ and -, starting with a letter',
      },
    ],
  });
});

test('rejects invalid settings with our own messages', () => {
  const wrong = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'no such']));
  const names =
    'PORT PUBLIC_URL ALLOW_HTTP DATABASE_URL DATABASE_READ_URL REDIS_URL REDIS_PREFIX STORAGE_URL LOG_LEVEL METRICS_PORT ' +
    'INTAKE_MAX_BYTES UPLOAD_MAX_BYTES IMPORT_LANES IMPORT_CHUNK_ROWS EVENT_RETENTION_DAYS SECRET_KEY BOOTSTRAP_API_KEY';
  const env = wrong(names.split(' '));
  for (const read of [readApiSettings, readWorkerSettings]) {
    let message = '';
    try {
      read(env);
    } catch (error) {
      ({ message } = error as Error);
    }
    expect(message).toMatch(/METRICS_PORT: must be an integer from 0 to 65535/);
    expect(message).not.toMatch(LIBRARY_WORDS);
  }
});
