import { z } from 'zod';
import { MAX_EXPRESSION } from '../expression/index.js';
import { MAX_TEMPLATE } from '../template/template.js';
import { LONG_BYTES } from '../values/truncate.js';
import { SEVERITIES } from './severities.js';

/** The fields of an alert that a mapping fills, in the order in which they are shown. */
export const ALERT_FIELDS = [
  'title',
  'severity',
  'description',
  'source',
  'service',
  'environment',
  'team',
  'ownerEmail',
] as const;

export type AlertField = (typeof ALERT_FIELDS)[number];

/** The fields that decide which items are one alert. A mapping without them makes an alert of each item. */
export const SERIES_FIELDS = ['status', 'dedupKey', 'occurrence', 'expiresAt'] as const;

export type SeriesField = (typeof SERIES_FIELDS)[number];

/** All fields under `fields` in a mapping. */
export const MAPPED_FIELDS = [...ALERT_FIELDS, ...SERIES_FIELDS] as const;

export type MappedField = (typeof MAPPED_FIELDS)[number];

/** An alert without one of these is incomplete. */
export const REQUIRED_FIELDS: readonly AlertField[] = ['severity', 'description', 'source'];

/** A day: later repetitions are news. */
export const MAX_REPEAT_SECONDS = 86_400;

/** Which event an alert has its texts from. */
export const TEXT_RULES = ['newest', 'opening'] as const;
export type TextRule = (typeof TEXT_RULES)[number];

const fieldSchema = z
  .strictObject({
    template: z
      .string()
      .max(MAX_TEMPLATE)
      .optional()
      .describe('Mustache template: text with tags such as {{webhook.path}}'),
    expression: z
      .string()
      .max(MAX_EXPRESSION)
      .optional()
      .describe(
        'Expression of the Common Expression Language (CEL), in place of a template: webhook.a > 5 ? "high" : "low"',
      ),
    default: z
      .string()
      .max(LONG_BYTES)
      .regex(/\S/, 'must not be blank')
      .optional()
      .describe('Value of the field if its template or expression finds nothing'),
    values: z
      .record(z.string().max(255), z.string().min(1).max(255))
      .refine((values) => Object.keys(values).length <= 500, 'must have at most 500 values')
      .optional()
      .describe('Value map: replaces the rendered text, ignoring case'),
  })
  .describe('How one field is filled');

const severitySchema = fieldSchema
  .extend({
    ranks: z
      .array(
        z.strictObject({
          word: z
            .string()
            .max(255)
            .regex(/\S/, 'must not be blank')
            .describe('A severity of your own, such as `P1`'),
          as: z.enum(SEVERITIES).describe('The built-in severity that it counts as'),
        }),
      )
      .max(50)
      .optional()
      .describe(
        'Severities of your own that have a rank, the most severe first. Of those that count as the same built-in one, an earlier word is more severe',
      ),
  })
  .describe('How the severity is filled, and which words of your own have a rank');

/** A text of the key of a lookup. */
const keyPart = z.union(
  [
    z.string().max(MAX_TEMPLATE).regex(/\S/, 'must not be blank'),
    z.strictObject({ expression: z.string().max(MAX_EXPRESSION).regex(/\S/, 'must not be blank') }),
  ],
  { error: 'must be a template that is not blank, or {"expression": …}' },
);

const lookupSchema = z
  .strictObject({
    table: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be the name of a lookup table')
      .optional()
      .describe('The lookup table that has the row'),
    key: z
      .union([keyPart, z.array(keyPart).min(1).max(20)], {
        error: 'must be a template that is not blank, {"expression": …}, or a list of them',
      })
      .optional()
      .describe('The key of the row. A list for a table with several key columns, in their order'),
    owner: z
      .strictObject({
        integrationId: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).describe('The account system'),
        identity: keyPart.describe('The account'),
      })
      .optional()
      .describe('The account whose owner is looked up, in place of a table. Its only column is `email`'),
  })
  .refine(
    ({ table, key, owner }) =>
      owner ? table === undefined && key === undefined : table !== undefined && key !== undefined,
    'must have either table and key, or owner',
  )
  .describe('What is looked up for an event, or for each item of a split');

/** Lookups of a mapping. Each costs time with each event. */
const MAX_LOOKUPS = 10;

const lookupName = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_]{0,63}$/,
    'must be a name of 1 to 64 letters, digits and _, starting with a letter',
  );

const customName = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
    'must be a name of 1 to 64 letters, digits, _ and -, starting with a letter',
  );

/** A mapping as clients send it and as revisions store it. */
export const mappingSchema = z
  .strictObject({
    split: z
      .string()
      .min(1)
      .max(1_000)
      .nullish()
      .describe(
        'Path of a list in the payload; each of its elements becomes an alert. With `|webhook` after it, a payload without the list is the only element',
      ),
    expandJson: z
      .array(z.string().min(1).max(1_000))
      .max(10)
      .optional()
      .describe('Paths of texts in the payload that contain JSON to be parsed'),
    lookups: z
      .record(lookupName, lookupSchema)
      .refine(
        (lookups) => Object.keys(lookups).length <= MAX_LOOKUPS,
        `must have at most ${MAX_LOOKUPS} lookups`,
      )
      .optional()
      .describe(
        'What is looked up in tables and in the identities, by name: `lookup.NAME.COLUMN` is a path. A key may use what another lookup found, which uses no other',
      ),
    filter: z
      .string()
      .max(MAX_EXPRESSION)
      .optional()
      .describe('CEL expression. An event, or an item of a split, for which it is false becomes no alert'),
    fields: z.strictObject({
      ...(Object.fromEntries(ALERT_FIELDS.map((name) => [name, fieldSchema.optional()])) as Record<
        AlertField,
        z.ZodOptional<typeof fieldSchema>
      >),
      severity: severitySchema.optional(),
      ownerEmail: fieldSchema
        .optional()
        .describe(
          'The email address of the person whom the alert concerns. Who may not read identities sees it masked',
        ),
      status: fieldSchema
        .optional()
        .describe(
          'What the event says about its problem: it exists (`firing`), it exists again (`reopened`), there is news about it (`update`), it is over (`resolved`), or there is none (`test`). Usual words such as `ok` and `down` are known',
        ),
      dedupKey: fieldSchema
        .optional()
        .describe("Identifies the problem: an integration's events with the same key are one alert"),
      occurrence: fieldSchema
        .optional()
        .describe(
          'Which occurrence of the problem the event is about: a number or an RFC 3339 time that grows within a key, such as the start time or the number of a run',
        ),
      expiresAt: fieldSchema
        .optional()
        .describe(
          'When the alert is over unless another event comes: an RFC 3339 time, seconds or milliseconds since 1970, seconds after the event, or a duration such as `5m`',
        ),
    }),
    final: z
      .boolean()
      .optional()
      .describe('A key is one problem for ever: once it is over, only `reopened` opens an alert again'),
    texts: z
      .enum(TEXT_RULES)
      .optional()
      .describe(
        'Which event of an alert its fields come from. `newest`, the default: the newest that has a value. `opening`: the first one, until an `update` has another value',
      ),
    repeatWindowSeconds: z
      .number()
      .int()
      .min(1)
      .max(MAX_REPEAT_SECONDS)
      .nullish()
      .describe(
        'Counts a byte-identical event without a `dedupKey` for the alert of the first one, if it arrives within so many seconds after that. Absent or `null`: each is an alert of its own',
      ),
    custom: z
      .record(customName, fieldSchema)
      .refine((custom) => Object.keys(custom).length <= 50, 'must have at most 50 fields')
      .optional()
      .describe('Additional fields of the alert, by name'),
  })
  .describe('How payloads become alerts');

/** Only a severity has `ranks`. */
export type FieldMapping = z.infer<typeof severitySchema>;
export type LookupMapping = z.infer<typeof lookupSchema>;
export type OwnSeverities = NonNullable<FieldMapping['ranks']>;
export type Mapping = z.infer<typeof mappingSchema>;
