import { z } from 'zod';

/*
 * The validation messages of schemas without messages of their own. Clients, the console and start-up errors show them
 * instead of those of the validation library. Importing this module sets them for the whole process. `settings.ts` and
 * `api/http/error-details.ts` import it, so every process has them before it parses anything.
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

/** The unit in which the size of a value is counted. */
const UNITS: Record<string, string> = {
  string: 'characters',
  array: 'entries',
  set: 'entries',
  file: 'bytes',
};

/** Returns the message for one issue. It follows the name of the field: "`pageSize`: must be an integer". */
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
  const wanted = `must be ${TYPES[expected] ?? 'of a different type'}`;
  return input === undefined ? `is required and ${wanted}` : wanted;
}

function tooSmall({ origin, minimum, inclusive }: IssueOf<'too_small'>): string {
  if (UNITS[origin] && inclusive && Number(minimum) === 1) return 'must not be empty';
  return size('at least', origin, minimum, inclusive, 1);
}

/** An exclusive limit of an integer is reported as the nearest inclusive one. */
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

/** Lists the alternatives if they differ only by a type or a value. Otherwise they are too different to list. */
function alternatives({ errors }: IssueOf<'invalid_union'>): string {
  const messages = errors.map((issues) => (issues.length === 1 ? issues[0] : undefined));
  const wanted = messages.map((issue) =>
    issue?.path.length === 0 && /^must be /.test(issue.message)
      ? issue.message.slice('must be '.length)
      : null,
  );
  if (wanted.length === 0 || wanted.includes(null)) return 'must have one of the documented forms';
  return `must be ${[...new Set(wanted)].join(' or ')}`;
}

z.config({ customError: messageOf });
