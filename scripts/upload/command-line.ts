import { parseArgs } from 'node:util';
import { UsageError } from './failure.js';

/** What one run is to do. */
export interface Options {
  file: string;
  dryRun: boolean;
  onError: 'abort' | 'continue';
  /** Whether to stay until the job has ended. */
  wait: boolean;
  /** How long to wait for the job, in milliseconds; without it, as long as it takes. */
  timeoutMs?: number;
  charset?: string;
  url?: string;
  key?: string;
}

export const help = `
Usage: npm run upload -- FILE.csv [options]

Uploads a CSV file of developer identities (columns email, integrationId, identity; plain or .gz), follows the job and
shows what became of the rows. Refused rows are saved beside the file as NAME.rejected.csv, never over another file.

  --dry-run             check and count only; nothing is written
  --on-error abort      one refused row and nothing is written (the default)
  --on-error continue   write the good rows, refuse the others
  --charset NAME        the file's encoding, when it is not UTF-8 and has no byte order mark
  --wait                stay until the job has ended (the default)
  --no-wait             leave as soon as the upload is accepted
  --timeout SECONDS     wait no longer than this for the job, which goes on
  --url URL             where Muster is; else MUSTER_URL, else the address that npm start recorded in DATA_DIR/address
  --key KEY             the API key (others on this machine can see it in the list of processes); else MUSTER_API_KEY,
                        else, on this machine, the key of npm start in DATA_DIR/api-key
                        Unless you give both address and key, the service must first prove that it belongs to DATA_DIR.
  --help

A lost connection is taken up again: the same upload never counts twice. Ctrl-C leaves a job that was accepted running.

Exit code: 0 the rows are written (or, with --dry-run, would be; or, with --no-wait, the upload is accepted); rows
refused under --on-error continue are reported and change nothing about that. 1 the upload failed, was canceled, or its
end is not known. 2 the command line is wrong. 130 stopped by Ctrl-C, 143 by SIGTERM.
`.trim();

/**
 * Reads the arguments.
 * @returns null when help is asked for
 * @throws UsageError
 */
export function readCommandLine(args: readonly string[]): Options | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const { charset, url, key } = values;
  if (values.wait && values['no-wait']) throw new UsageError('--wait and --no-wait exclude each other');
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
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    // Node's message goes on with advice for another situation.
    const [reason = ''] = (error as Error).message.split(/\. |\n/);
    throw new UsageError(reason);
  }
}

function onlyFile([file, ...more]: string[]): string {
  if (!file) throw new UsageError('Name the CSV file to upload');
  if (more.length > 0) throw new UsageError(`One file at a time: ${more.join(' ')} is too many`);
  return file;
}

function onErrorOf(value = 'abort'): Options['onError'] {
  if (value === 'abort' || value === 'continue') return value;
  throw new UsageError(`--on-error is abort or continue, not ${value}`);
}

function secondsOf(value: string): number {
  const seconds = Number(value);
  if (seconds > 0 && seconds <= 2_000_000) return seconds;
  throw new UsageError(`--timeout is a number of seconds, not ${value}`);
}
