import { parseCommandLine, UsageError } from '../text/command-line.js';

/** The options of one run. */
export interface Options {
  file: string;
  dryRun: boolean;
  onError: 'abort' | 'continue';
  /** Whether to wait until the job finishes. */
  wait: boolean;
  /** Time limit for the job, in milliseconds. By default there is none. */
  timeoutMs?: number;
  charset?: string;
  url?: string;
  key?: string;
}

export const help = `
Usage: npm run upload -- FILE.csv [options]

Uploads a CSV file of developer identities (columns email, integrationId, identity; plain or .gz), follows the job and
shows the result. Rejected rows are saved next to the file as NAME.rejected.csv, without overwriting any other file.

  --dry-run             validate and count only; write nothing
  --on-error abort      write nothing if any row is rejected (the default)
  --on-error continue   write the valid rows and reject the others
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
is invalid. 130 stopped by Ctrl-C, 143 stopped by SIGTERM.
`.trim();

/**
 * Reads the arguments.
 * @returns null if help is requested
 * @throws UsageError
 */
export function readCommandLine(args: readonly string[]): Options | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const { charset, url, key } = values;
  if (values.wait && values['no-wait']) throw new UsageError('--wait and --no-wait cannot be combined');
  return {
    file: onlyFile(positionals),
    dryRun: values['dry-run'] ?? false,
    onError: onErrorOf(values['on-error']),
    wait: !values['no-wait'],
    ...(values.timeout === undefined ? {} : { timeoutMs: secondsOf(values.timeout) * 1_000 }),
    ...(charset === undefined ? {} : { charset }),
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
