import type { z } from 'zod';
import { nearestWord } from '../../workers/text/edit-distance.js';
import '../../workers/process/schema-messages.js';
import { type ErrorDetail, MAX_ERRORS_SHOWN } from './errors.js';

/** Returns the errors of a query. A single-value parameter that occurs several times gets this one error only. */
export function toQueryErrors(error: z.ZodError, query: object, known: readonly string[]): ErrorDetail[] {
  const repeated = new Set<string>();
  const values = new Map<string, unknown>(Object.entries(query));
  for (const { code, path } of error.issues) {
    const [name] = path;
    const isScalar = code === 'invalid_type' || code === 'invalid_value';
    if (isScalar && path.length === 1 && typeof name === 'string' && Array.isArray(values.get(name)))
      repeated.add(name);
  }
  return [
    ...[...repeated].map((field) => ({
      field,
      code: 'repeated_parameter',
      message: 'must be given only once',
    })),
    ...toErrorDetails(error, known).filter(({ field }) => field === null || !repeated.has(field)),
  ];
}

/**
 * Returns the issues of a zod error as entries of a response's `errors`.
 * @param known the names of all fields; an unknown name is reported with the one that is most similar
 */
export function toErrorDetails(error: z.ZodError, known: readonly string[] = []): ErrorDetail[] {
  return error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? // Finding the most similar name takes time, and a response shows no more than these.
        issue.keys.map((name, at) => ({
          ...placeIn([...issue.path, name]),
          code: 'unknown_parameter',
          message: unknownName(name, issue.path.length === 0 && at < MAX_ERRORS_SHOWN ? known : []),
        }))
      : [toErrorDetail(issue)],
  );
}

function toErrorDetail(issue: z.core.$ZodIssue): ErrorDetail {
  const code =
    issue.code === 'custom' && typeof issue.params?.code === 'string' ? issue.params.code : issue.code;
  return { ...placeIn(issue.path), code, message: issue.message };
}

/** Returns the place of an error: a path that starts with a number is in a list of records. */
function placeIn(path: readonly PropertyKey[]): Pick<ErrorDetail, 'index' | 'field'> {
  const [first, ...rest] = path;
  const index = typeof first === 'number' ? { index: first } : {};
  return { ...index, field: (typeof first === 'number' ? rest : path).join('.') || null };
}

function unknownName(name: string, known: readonly string[]): string {
  const nearest = nearestWord(name, known);
  const hint = nearest ? `; did you mean ${nearest}?` : known.length ? `; known: ${known.join(', ')}` : '';
  return `unknown parameter${hint}`;
}

/** How a summary names what was checked, and the part that one error is about. */
export type ErrorSubject = { whole: string; part: string };

export const QUERY: ErrorSubject = { whole: 'query', part: 'query parameter' };
export const BODY: ErrorSubject = { whole: 'body', part: 'field' };
export const RECORDS: ErrorSubject = { whole: 'records', part: '' };
export const MAPPING: ErrorSubject = { whole: 'mapping', part: 'mapping field' };

/**
 * Returns one sentence with the first error and the number of errors, for clients that show only the message:
 * "Invalid query parameter `pageSize`: must be an integer from 1 to 1000."
 *
 * @param count the number of errors, if `errors` does not contain all of them
 */
export function summary(
  { whole, part }: ErrorSubject,
  errors: readonly ErrorDetail[],
  count: number = errors.length,
): string {
  const [first] = errors;
  if (!first) return `Invalid ${whole}.`;
  const place = placeOf(first);
  const reason = /[.?!]$/.test(first.message) ? first.message : `${first.message}.`;
  if (count > 1) return `Invalid ${whole}: ${count} errors. First: ${place ?? whole}: ${reason}`;
  const subject = place ? [part, place].filter(Boolean).join(' ') : whole;
  return `Invalid ${subject}: ${reason}`;
}

function placeOf({ index, field, line, column }: ErrorDetail): string | null {
  const parts = [
    index === undefined ? null : `record ${index}`,
    field ? `\`${field}\`` : null,
    line === undefined ? null : `line ${line}${column === undefined ? '' : `, column ${column}`}`,
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(', ') : null;
}
