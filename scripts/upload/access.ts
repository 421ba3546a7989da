import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceFiles } from '../start/record.js';
import { UsageError } from './failure.js';

/** Where Muster is, and the key to it. */
export interface Access {
  /** Ends in `/`. */
  base: URL;
  key: string;
  /** How to write the key in a command for a shell, without showing it. */
  keyInShell: string;
  /** If present, the service must prove that it knows this key before anything is sent to it. */
  greetingKey?: string;
}

type Environment = Record<string, string | undefined>;

/**
 * Finds address and key: the command line before the environment before what a local `npm start` left in DATA_DIR. Only an
 * address that was given together with a key is trusted as it is. Any other has to prove itself: whoever else listens
 * there would get the key and the file.
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
  throw new UsageError(`${text} is not the address of a Muster: use http://HOST:PORT`);
}

/** A key is one header word; anything else would fail in the middle of the request. */
function checked(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new UsageError('The API key has spaces or other characters that no key has');
}

/** The local service's key is never sent to another host, whatever that host proves. */
function localKey(base: URL, isGiven: boolean, file: string): Pick<Access, 'key' | 'keyInShell'> {
  const isLocal = !isGiven || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(base.hostname);
  const key = isLocal ? read(file) : '';
  if (key) return { key: checked(key), keyInShell: `$(cat '${file.replaceAll("'", "'\\''")}')` };
  const where = isLocal ? ` (and there is none in ${file})` : '';
  throw new UsageError(`No API key${where}: set MUSTER_API_KEY or --key; npm run keys makes one`);
}

function recordedAddress(dataDir: string): string {
  const address = read(serviceFiles(dataDir).address);
  if (address) return address;
  throw new UsageError(
    `No Muster is running on ${dataDir}: run npm start, or set MUSTER_URL and MUSTER_API_KEY to another one`,
  );
}

function greetingKeyOf(dataDir: string): string {
  const key = read(serviceFiles(dataDir).greetingKey);
  if (key) return key;
  throw new UsageError(
    `No Muster is running on ${dataDir} that could prove itself: run npm start, or set both MUSTER_URL and MUSTER_API_KEY`,
  );
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}
