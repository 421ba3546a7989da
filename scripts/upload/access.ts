import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from './failure.js';

/** Where Muster is, and the key to it. */
export interface Access {
  /** Ends in `/`. */
  base: URL;
  key: string;
  /** How to write the key in a command for a shell, without showing it. */
  keyInShell: string;
}

type Environment = Record<string, string | undefined>;

/**
 * Finds address and key: the command line before the environment before what a local `npm start` left.
 * @throws UsageError
 */
export function findAccess(wish: { url?: string; key?: string }, env: Environment): Access {
  const base = baseOf(wish.url || env.MUSTER_URL || 'http://127.0.0.1:3000');
  const key = wish.key || env.MUSTER_API_KEY;
  if (key) return { base, key: checked(key), keyInShell: '$MUSTER_API_KEY' };
  return { base, ...localKey(base, join(env.DATA_DIR || '.data', 'api-key')) };
}

function baseOf(text: string): URL {
  const whole = text.endsWith('/') ? text : `${text}/`;
  const base = URL.canParse(whole) ? new URL(whole) : null;
  if (base && /^https?:$/.test(base.protocol) && !base.search && !base.hash && !base.username) return base;
  throw new UsageError(`${text} is no address of a Muster: http://HOST:PORT is wanted`);
}

/** A key is one header word; anything else would fail in the middle of the request. */
function checked(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new UsageError('The API key has spaces or other characters that no key has');
}

/** The key of this machine's Muster is for nobody else to see, so it is never sent to another host. */
function localKey(base: URL, file: string): Pick<Access, 'key' | 'keyInShell'> {
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(base.hostname);
  const key = isLocal ? read(file) : '';
  if (key) return { key: checked(key), keyInShell: `$(cat '${file.replaceAll("'", "'\\''")}')` };
  const where = isLocal ? ` (and there is none in ${file})` : '';
  throw new UsageError(`No API key${where}: give one by MUSTER_API_KEY or --key; npm run keys makes one`);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}
