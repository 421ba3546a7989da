import { parseCommandLine, UsageError } from '../text/command-line.js';
import type { Conversion } from './convert/convert.js';
import { conversionOf, queryOf } from './upload-options.js';

/** The options of one run. */
export interface Options {
  file: string;
  dryRun: boolean;
  onError: 'abort' | 'continue';
  /** Whether to wait until the job finishes. */
  wait: boolean;
  /** Time limit for the job, in milliseconds. By default there is none. */
  timeoutMs?: number;
  /** Query parameters of the upload, except `onError` and `dryRun`. */
  query: Record<string, string>;
  /** Whether the accounts of the file are removed. */
  remove: boolean;
  /** The export to convert first. */
  conversion?: Omit<Conversion, 'path' | 'sendInvalid'>;
  url?: string;
  key?: string;
}

/**
 * Reads the arguments.
 * @returns null if help is requested
 * @throws UsageError
 */
export function readCommandLine(args: readonly string[]): Options | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const { url, key } = values;
  const conversion = conversionOf(values);
  if (values.wait && values['no-wait']) throw new UsageError('--wait and --no-wait cannot be combined');
  return {
    file: onlyFile(positionals),
    dryRun: values['dry-run'] ?? false,
    onError: onErrorOf(values['on-error']),
    wait: !values['no-wait'],
    ...(values.timeout === undefined ? {} : { timeoutMs: secondsOf(values.timeout) * 1_000 }),
    query: queryOf(values, conversion !== undefined),
    remove: values.remove ?? false,
    ...(conversion === undefined ? {} : { conversion }),
    ...(url === undefined ? {} : { url }),
    ...(key === undefined ? {} : { key }),
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = {
    'dry-run': flag,
    'on-error': text,
    charset: text,
    damaged: text,
    sheet: text,
    columns: text,
    'integration-id': text,
    'expected-rows': text,
    mirror: text,
    'max-removals': text,
    callback: text,
    remove: flag,
    from: text,
    integrations: text,
    users: text,
    wait: flag,
    'no-wait': flag,
    timeout: text,
    url: text,
    key: text,
    help: { ...flag, short: 'h' },
  } as const;
  return parseCommandLine({ args: [...args], allowPositionals: true, options });
}

function onlyFile([file, ...more]: string[]): string {
  if (!file) throw new UsageError('Name the CSV file to upload');
  if (more.length > 0) throw new UsageError(`One file at a time: remove ${more.join(' ')}`);
  return file;
}

function onErrorOf(value = 'abort'): Options['onError'] {
  if (value === 'abort' || value === 'continue') return value;
  throw new UsageError(`--on-error must be abort or continue, not ${value}`);
}

function secondsOf(value: string): number {
  const seconds = Number(value);
  if (seconds > 0 && seconds <= 2_000_000) return seconds;
  throw new UsageError(`--timeout must be a number of seconds, not ${value}`);
}

/** The text of `--help`. @param command as it was called */
export const helpOf = (command: string): string =>
  `
Usage: ${command} FILE [options]
       ${command} --from SOURCE FILE --integration-id N [options]

Uploads a file of developer identities (columns email, integrationId, identity; CSV, plain or .gz, or .xlsx), follows
the job and shows the result. Rejected rows are saved next to the file as NAME.rejected.csv, without overwriting any
other file.

  --dry-run             validate and count only; write nothing
  --on-error abort      write nothing if any row is rejected (the default)
  --on-error continue   write the valid rows and reject the others
  --columns LIST        the columns of fields whose names are not known: 'email:Mail Address,identity:Login'
  --integration-id N    the account system of all rows, for a file without such a column
  --expected-rows N     the number of rows of the file; a file with another number is rejected as a whole
  --mirror IDS          the file is the complete truth for these account systems (7,8): accounts that it does not name
                        are removed
  --max-removals N      with --mirror, required: a file that would remove more accounts is rejected as a whole
  --remove              remove the accounts of the file (columns integrationId, identity) instead of adding them
  --from SOURCE         convert an export first: devlake, sortinghat, github-org, gitlab, gitlab-placeholders or okta;
                        see docs/importing.md. With --expected-rows it must have that number of accounts. With --mirror
                        none may be left out
  --integrations LIST   with --from devlake, sortinghat or gitlab-placeholders: the number of each system, such as
                        github:7,jira:8
  --users FILE          with --from devlake: the users.csv with the owners of the accounts.csv
  --sheet NAME          the sheet to read of a workbook (.xlsx) that has several
  --damaged keep        accept identities that a spreadsheet left in place of a value, such as #N/A or 1.23457E+11
  --callback ID         a destination of the preset webhook that is told when the job ends
  --charset NAME        the encoding of the file, if it is not UTF-8 and has no byte order mark
  --wait                wait until the job finishes (the default)
  --no-wait             exit as soon as the upload is accepted
  --timeout SECONDS     stop waiting after this time; the job continues
  --url URL             address of Muster; default: MUSTER_URL, or the address that npm start saved in DATA_DIR/address
  --key KEY             API key (visible in the list of processes); default: MUSTER_API_KEY, or on this machine the key
                        of npm start in DATA_DIR/api-key
                        Unless you set both address and key, the server must first prove that it belongs to DATA_DIR.
  --help                print this help

A lost connection is retried, and the same upload never counts twice. Ctrl-C does not stop a job that was accepted.

Exit codes: 0 the rows are written (with --dry-run: would be written; with --no-wait: the upload is accepted), also if
--on-error continue rejected some rows. 1 the upload failed, was canceled, or its result is unknown. 2 the command line
is invalid. 3 with --mirror: the rows are written, but no account was removed, because of rejected rows. 130 stopped by
Ctrl-C, 143 stopped by SIGTERM.
`.trim();
