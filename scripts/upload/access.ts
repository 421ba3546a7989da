import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceFiles } from '../start/record.js';
import { UsageError } from '../text/command-line.js';

/** The address of Muster and an API key. */
export interface Access {
  /** Ends with `/`. */
  base: URL;
  key: string;
  /** An expression that a shell replaces by the key, so that commands do not show it. */
  keyInShell: string;
  /** If present, the service must prove that it knows this key before anything is sent to it. */
  greetingKey?: string;
}

type Environment = Record<string, string | undefined>;

/**
 * Finds the address and the key: on the command line, then in the environment, then in the files that a local `npm start` left in
 * DATA_DIR. Only an address that was given together with a key is trusted. Any other server has to prove its identity first,
 * because another program that listens there would get the key and the file.
 * @throws UsageError
 */
export function findAccess(options: { url?: string; key?: string }, env: Environment): Access {
  const dataDir = env.DATA_DIR || '.data';
  const url = options.url || env.MUSTER_URL;
  const key = options.key || env.MUSTER_API_KEY;
  const base = baseOf(url || recordedAddress(dataDir));
  const keyPart = key
    ? { key: checked(key), keyInShell: '$MUSTER_API_KEY' }
    : localKey(base, Boolean(url), join(dataDir, 'api-key'));
  return url && key ? { base, ...keyPart } : { base, ...keyPart, greetingKey: greetingKeyOf(dataDir) };
}

function baseOf(text: string): URL {
  const whole = text.endsWith('/') ? text : `${text}/`;
  const base = URL.canParse(whole) ? new URL(whole) : null;
  if (base && /^https?:$/.test(base.protocol) && !base.search && !base.hash && !base.username) return base;
  throw new UsageError(`${text} is not a valid address: use http://HOST:PORT`);
}

/** Rejects a key that is not one word of a header, which would fail in the middle of the request. */
function checked(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new UsageError('The API key contains spaces or other characters that are not allowed in a key');
}

/** Reads the key of the local service, which is never sent to another host, whatever that host proves. */
function localKey(base: URL, isGiven: boolean, file: string): Pick<Access, 'key' | 'keyInShell'> {
  const isLocal = !isGiven || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(base.hostname);
  const key = isLocal ? read(file) : '';
  if (key) return { key: checked(key), keyInShell: `$(cat '${file.replaceAll("'", "'\\''")}')` };
  const where = isLocal ? ` (${file} has none either)` : '';
  throw new UsageError(`No API key${where}: set MUSTER_API_KEY or --key, or create one with npm run keys`);
}

function recordedAddress(dataDir: string): string {
  const address = read(serviceFiles(dataDir).address);
  if (address) return address;
  throw new UsageError(
    `Muster is not running in ${dataDir}: run npm start, or set MUSTER_URL and MUSTER_API_KEY`,
  );
}

function greetingKeyOf(dataDir: string): string {
  const key = read(serviceFiles(dataDir).greetingKey);
  if (key) return key;
  throw new UsageError(
    `Muster in ${dataDir} cannot prove its identity: run npm start, or set both MUSTER_URL and MUSTER_API_KEY`,
  );
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}
