import { z } from 'zod';
import { cronError } from '../../heartbeats/next-problem.js';
import { isKnownCharset } from '../../identities/record/charset.js';
import { isTimeZone } from '../../text/time-zone.js';
import { SECRET_FIELDS, type SourceSettings, sourceSchema } from '../sources/settings.js';
import { guardsSchema } from './guards.js';

const EXPRESSION_MAX = 4_000;
const columnName = z.string().trim().min(1).max(255);
const expression = z.string().trim().min(1).max(EXPRESSION_MAX);
const accountSystem = z.int().min(1);

export const recipeSchema = z
  .strictObject({
    columns: z
      .strictObject({ email: columnName, integrationId: columnName, identity: columnName })
      .partial()
      .default({})
      .meta({
        description: 'The names of columns, by field. Others are found by the names that uploads know',
      }),
    integrationId: accountSystem.optional().meta({
      description: 'The account system of all rows, for a file that has no column for it',
    }),
    rules: z
      .strictObject({ email: expression, integrationId: expression, identity: expression })
      .partial()
      .default({})
      .meta({
        description:
          'Expressions in CEL over `row`, the texts of the columns by name, for fields that no column has as they are: `row["Login"].lowerAscii() + "@example.com"`',
      }),
    keep: expression.optional().meta({
      description:
        'A condition in CEL over `row`. Rows for which it is false are left out: `row["Status"] != "contractor"`',
    }),
    charset: z
      .string()
      .refine(isKnownCharset, 'is not a charset that Muster knows')
      .optional()
      .meta({ description: 'Default: what the source declares, the byte order mark, or UTF-8' }),
    sheet: z
      .string()
      .min(1)
      .max(31)
      .optional()
      .meta({ description: 'Of a workbook. Default: its only visible one' }),
  })
  .meta({ description: 'How the rows of the file become identities' });

export const scheduleSchema = z
  .union([
    z.strictObject({
      everyMinutes: z
        .int()
        .min(1)
        .max(31 * 24 * 60),
    }),
    z
      .strictObject({
        cron: z.string().trim().min(1).max(100).meta({ description: 'Five fields: `30 2 * * *`' }),
        timeZone: z.string().refine(isTimeZone, 'is not a time zone such as Europe/Berlin').default('UTC'),
      })
      .superRefine((given, { addIssue }) => {
        const message = isTimeZone(given.timeZone) ? cronError(given) : null;
        if (message) addIssue({ code: 'custom', path: ['cron'], message });
      }),
  ])
  .nullable()
  .meta({ description: 'When it runs, to the minute. Null: only when somebody starts it' });

/** What a feed is, without its name. Secrets of the source are given as they are. */
export const feedSettings = z.strictObject({
  source: sourceSchema,
  recipe: recipeSchema.prefault({}),
  mirror: z.array(accountSystem).min(1).max(100).nullable().default(null).meta({
    description:
      'The account systems for which the file is complete: accounts that it does not name are removed. Null: nothing is removed',
  }),
  onError: z.enum(['abort', 'continue']).default('abort').meta({
    description:
      'With invalid rows, `abort` fails the run. `continue` leaves them out; a mirror then removes nothing',
  }),
  guards: guardsSchema.prefault({}),
  schedule: scheduleSchema.default(null),
  paused: z.boolean().default(false),
});
export type FeedSettings = z.infer<typeof feedSettings> & {
  /** Which secrets of the source are set. */
  secretNames?: string[];
};

/** What is stored of settings that the database keeps in clear. A later release may have added properties. */
export const storedSettings = (settings: unknown): FeedSettings => kept.parse(settings);
const kept = z.custom<FeedSettings>((value) => typeof value === 'object');
const openSource = z.custom<SourceSettings>((value) => typeof value === 'object');

/** Returns settings without the secrets of their source, and the secrets, by field. */
export function splitSecrets(settings: FeedSettings): { settings: FeedSettings; secrets: Secrets } {
  const fields: readonly string[] = SECRET_FIELDS[settings.source.kind];
  const own: [string, unknown][] = Object.entries(settings.source);
  const secrets = Object.fromEntries(
    own.filter(([field, value]) => fields.includes(field) && value !== null && !isEmpty(value)),
  );
  const source = openSource.parse(Object.fromEntries(own.filter(([field]) => !fields.includes(field))));
  const secretNames = Object.entries(secrets).flatMap(([field, value]) =>
    typeof value === 'string' ? field : Object.keys(value ?? {}).map((name) => `${field}.${name}`),
  );
  return { settings: { ...settings, source, secretNames }, secrets };
}

/** The secrets of a source, by field: texts, or texts by name. */
export type Secrets = Record<string, unknown>;

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Returns the source with its secrets. Those that are not set have their defaults. */
export const withSecrets = (source: SourceSettings, secrets: Secrets): SourceSettings =>
  sourceSchema.parse({ ...source, ...secrets });
