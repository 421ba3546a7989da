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
    columns: text,
    'integration-id': text,
    'expected-rows': text,
    mirror: text,
    'max-removals': text,
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
