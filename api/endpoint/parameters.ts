import { z } from 'zod';
import { isTimeZone } from '../../workers/text/time-zone.js';

/** An integer in plain digits. */
export function wholeNumberText(min: number, max: number) {
  const message = `must be an integer from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message))
    .meta({ override: { type: 'integer', minimum: min, maximum: max } });
}

/** `true` or `false`. */
export const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .meta({ override: { type: 'boolean' } });

const WHOLE_TEXT = 'must not contain control characters or half of a character';

/** The name of something: one line. A half of a character (a lone surrogate) would be stored as another character. */
export const nameText = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), WHOLE_TEXT);

/** The name of something that URLs name: clients drop `.` and `..` from a path, also when they are escaped. */
export const pathName = nameText.refine(
  (text) => text !== '.' && text !== '..',
  'must not be . or .., because no URL can contain these names',
);

/** A description: any number of lines. */
export const descriptionText = z
  .string()
  .trim()
  .max(1_000)
  .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text.replace(/[\t\r\n]/g, '')), WHOLE_TEXT);

/** A severity: a word that a person reads in lists. */
export const severityText = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), WHOLE_TEXT);

export const timeZoneName = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be a name of the IANA time zone database, such as Europe/Berlin')
  .meta({ description: 'A name of the IANA time zone database' });

const STRINGS = { override: { type: 'array', items: { type: 'string' } } };
const stringOrStrings = z.union([z.string(), z.array(z.string())]);

/** A comma-separated list, a repeated parameter, or both: `x=a,b` and `x=a&x=b` mean the same. */
export const commaList = stringOrStrings
  .transform((given) => [given].flat().flatMap((part) => part.split(',')))
  .meta(STRINGS);

/** A repeated parameter whose values may contain commas. */
export const repeatable = stringOrStrings.transform((given) => [given].flat()).meta(STRINGS);

/** A time with an offset. The database's times end with the year 9999, so its year in UTC has four digits. */
export const isoTime = z.iso
  .datetime({ offset: true, abort: true, error: 'must be a time such as 2026-01-31T12:00:00Z' })
  .refine((text) => new Date(text).getUTCFullYear() <= 9_999, 'must be before the year 10000');

/** The most values that a filter takes. */
const MAX_VALUES = 50;

/**
 * A filter that takes one value, or several by repeating the parameter, because values may contain commas. One value stays a text, so that
 * the cursors and jobs of a list with one value are the same as before there could be several.
 */
export function anyOf(value: z.ZodType<string, string>, description: string) {
  const { $schema: _, ...item } = z.toJSONSchema(value, { io: 'input' });
  const several = { type: 'array', items: item, minItems: 1, maxItems: MAX_VALUES };
  const values = z.array(value).min(1).max(MAX_VALUES);
  return stringOrStrings
    .transform((given, context): string | string[] => {
      // The error of a single value has no index: the client has sent no list.
      const checked = Array.isArray(given) ? values.safeParse(given) : value.safeParse(given);
      for (const issue of checked.error?.issues ?? []) context.addIssue({ ...issue });
      const [first = '', ...more] = [...new Set([checked.data ?? []].flat())].sort();
      return more.length === 0 ? first : [first, ...more];
    })
    .optional()
    .meta({
      description: `${description}. Repeat the parameter for any of several`,
      override: { anyOf: [item, several] },
    });
}
