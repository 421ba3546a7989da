import { UsageError } from '../text/command-line.js';
import type { Conversion } from './convert/convert.js';
import { converters } from './convert/converters.js';

type Values = Record<string, string | boolean | undefined>;

/** Query parameters by the options that set them. */
const PARAMETERS = {
  charset: 'charset',
  damaged: 'damaged',
  sheet: 'sheet',
  columns: 'columns',
  'integration-id': 'integrationId',
  'expected-rows': 'expectedRows',
  mirror: 'integrationIds',
  'max-removals': 'maxRemovals',
  callback: 'callback',
} as const;

/** Options that are applied to an export before it is converted. */
const OF_THE_EXPORT: readonly string[] = ['charset', 'integration-id', 'expected-rows'];

/**
 * Returns the query parameters of an upload. The service checks their values.
 * @throws UsageError
 */
export function queryOf(values: Values, isConverted: boolean): Record<string, string> {
  if ((values.mirror === undefined) !== (values['max-removals'] === undefined))
    throw new UsageError('--mirror and --max-removals go together');
  if (values.mirror !== undefined && values.remove)
    throw new UsageError('--mirror and --remove cannot be combined');
  // A converted file has columns of its own.
  if (isConverted && values.columns !== undefined)
    throw new UsageError('--columns cannot be combined with --from');
  if (isConverted && values.sheet !== undefined)
    throw new UsageError('--sheet cannot be combined with --from');
  const query: Record<string, string> = values.mirror === undefined ? {} : { mode: 'mirror' };
  for (const [option, parameter] of Object.entries(PARAMETERS)) {
    const value = values[option];
    if (typeof value === 'string' && !(isConverted && OF_THE_EXPORT.includes(option)))
      query[parameter] = value;
  }
  return query;
}

/** Returns a message with the options of this command where it names query parameters. */
export const inOptions = (message: string): string =>
  message
    .replace(/\??\b(charset|damaged)=/g, '--$1 ')
    .replaceAll('`columns`', '`--columns`')
    .replaceAll('`callback`', '`--callback`')
    .replace('with the option sheet', 'with --sheet')
    .replace(/\bexpectedRows\b/g, '--expected-rows')
    .replace(/\bmaxRemovals\b/g, '--max-removals');

/**
 * Returns which export is to be converted; undefined if the file is a CSV of identities.
 * @throws UsageError
 */
export function conversionOf(values: Values): Omit<Conversion, 'path' | 'sendInvalid'> | undefined {
  const { from, users, integrations, charset } = values;
  if (typeof from !== 'string') {
    const unused = ['users', 'integrations'].find((name) => values[name] !== undefined);
    if (unused) throw new UsageError(`--${unused} needs --from`);
    return undefined;
  }
  const converter = Object.hasOwn(converters, from) ? converters[from] : undefined;
  if (!converter)
    throw new UsageError(`--from must be one of ${Object.keys(converters).join(', ')}, not ${from}`);
  const given = {
    ...(typeof users === 'string' ? { users } : {}),
    ...(typeof charset === 'string' ? { charset } : {}),
    keepsLost: values.damaged === 'keep',
    expectedRows: expectedRowsOf(values['expected-rows']),
    isMirror: values.mirror !== undefined,
  };
  if (typeof integrations === 'string' && converter.hasSystems)
    return { from, ...given, integrationIds: readIntegrationIds(integrations) };
  if (typeof values['integration-id'] === 'string' && !converter.hasSystems)
    return { from, ...given, integrationIds: integrationIdOf(values['integration-id'], '--integration-id') };
  throw new UsageError(
    converter.hasSystems
      ? `--from ${from} needs --integrations, such as github:7,jira:8`
      : `--from ${from} needs --integration-id, the account system of its accounts`,
  );
}

function readIntegrationIds(text: string): Map<string, number> {
  return new Map(
    text.split(',').map((pair) => {
      const at = pair.lastIndexOf(':');
      if (at < 1) throw new UsageError(`--integrations must be SYSTEM:N pairs such as github:7, not ${pair}`);
      return [pair.slice(0, at).trim(), integrationIdOf(pair.slice(at + 1).trim(), '--integrations')];
    }),
  );
}

function expectedRowsOf(text: Values[string]): number | undefined {
  if (typeof text !== 'string') return undefined;
  if (/^[1-9]\d{0,11}$/.test(text)) return Number(text);
  throw new UsageError(`--expected-rows must be a positive integer, not ${text}`);
}

function integrationIdOf(text: string, option: string): number {
  if (/^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new UsageError(`${option}: an account system is a positive integer, not ${text}`);
}
