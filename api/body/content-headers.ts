import type { IncomingMessage } from 'node:http';
import { badRequest, type RequestError } from '../http/errors.js';
import { malformedHeader } from './header-value.js';

/** Header values by lower-case name. */
export type Headers = ReadonlyMap<string, string>;

/** Headers about content that are obeyed, or that change nothing. `docs/importing.md` lists them with the reason. */
const KNOWN = new Set([
  ...['type', 'disposition', 'transfer-encoding', 'encoding', 'length', 'md5', 'digest'].map(
    (name) => `content-${name}`,
  ),
  ...['language', 'location', 'id', 'description', 'security-policy'].map((name) => `content-${name}`),
]);
const DIGEST = /(?:^|-)digest$/;
const ABOUT_CONTENT = /^content-|^(?:repr-)?digest$/;

/**
 * Returns the headers of a request that say something about its body.
 * @throws RequestError 400 with the name of one that cannot be obeyed
 */
export function contentHeaders({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Map<string, string>();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    if (!ABOUT_CONTENT.test(name)) continue;
    if (values.length > 1 && !DIGEST.test(name)) throw malformedHeader(name, 'the request has it twice');
    headers.set(name, values.join(', '));
  }
  rejectUnknown(headers);
  return headers;
}

/** @throws RequestError 400 `unsupported_header`, for example for `Content-Range`, which announces a part of a file */
export function rejectUnknown(headers: Headers): void {
  for (const name of headers.keys())
    if (name.startsWith('content-') && !KNOWN.has(name)) throw unsupported(name);
}

export const unsupported = (name: string): RequestError =>
  badRequest(
    'unsupported_header',
    `Unsupported header \`${name.slice(0, 60)}\`. Remove it, and send the complete content as it is.`,
  );
