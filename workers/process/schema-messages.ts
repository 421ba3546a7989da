import { z } from 'zod';

/*
 * The words for what a schema refuses, wherever no schema gives its own: clients, console and start-up errors show these,
 * never the validation library's. Importing this module puts them in place for the whole process; `settings.ts` beside it and
 * `api/http/error-details.ts` do, so every process has them before it parses anything.
 */

type Issue = z.core.$ZodRawIssue;
type IssueOf<Code extends Issue['code']> = Extract<Issue, { code: Code }>;

const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  tuple: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMATS: Record<string, string> = {
  uuid: 'a UUID',
  datetime: 'a time such as 2026-01-31T12:00:00Z',
  url: 'a URL',
  email: 'an email address such as ada@example.com',
};

/** How the size of a value of this origin is counted. */
const UNITS: Record<string, string> = {
  string: 'characters',
  array: 'entries',
  set: 'entries',
  file: 'bytes',
};

/** Returns the message for one issue: a phrase that follows the name of its field. */
export function messageOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue);
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return size('at most', issue.origin, issue.maximum, issue.inclusive, -1);
    case 'invalid_format':
      return `must be ${FORMATS[issue.format] ?? 'in the documented format'}`;
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`;
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues[0]?.message ?? 'is invalid';
    case 'invalid_union':
      return alternatives(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `must not contain ${issue.keys.join(', ')}`;
    default:
      return 'is invalid';
  }
}

function wrongType({ expected, input }: IssueOf<'invalid_type'>): string {
  const wanted = `must be ${TYPES[expected] ?? 'of another type'}`;
  return input === undefined ? `is required and ${wanted}` : wanted;
}

function tooSmall({ origin, minimum, inclusive }: IssueOf<'too_small'>): string {
  if (UNITS[origin] && inclusive && Number(minimum) === 1) return 'must not be empty';
  return size('at least', origin, minimum, inclusive, 1);
}

/** An exclusive limit on an integer is said as the inclusive one next to it. */
function size(
  relation: string,
  origin: string,
  limit: number | bigint,
  inclusive: boolean | undefined,
  step: 1 | -1,
): string {
  const nearest = inclusive === false ? Number(limit) + step : limit;
  const unit = UNITS[origin];
  return unit ? `must have ${relation} ${nearest} ${unit}` : `must be ${relation} ${nearest}`;
}

function oneOf(values: readonly unknown[]): string {
  const shown = values.map((value) => (typeof value === 'string' ? value : String(value)));
  return shown.length === 1 ? String(shown[0]) : `one of ${shown.join(', ')}`;
}

/** Of alternatives that are told apart by a type or a value alone, all; otherwise the forms are too different to list. */
function alternatives({ errors }: IssueOf<'invalid_union'>): string {
  const messages = errors.map((issues) => (issues.length === 1 ? issues[0] : undefined));
  const wanted = messages.map((issue) =>
    issue?.path.length === 0 && /^must be /.test(issue.message)
      ? issue.message.slice('must be '.length)
      : null,
  );
  if (wanted.length === 0 || wanted.includes(null)) return 'has none of the documented forms';
  return `must be ${[...new Set(wanted)].join(' or ')}`;
}

z.config({ customError: messageOf });
