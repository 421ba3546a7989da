import type { Scope } from '../../../../db/access/api-keys.js';

/** What a request sends in addition to its method and path. */
export interface Sent {
  headers?: Record<string, string>;
  /** Sent as `application/json`. */
  json?: unknown;
  body?: string | Uint8Array;
  /** `content-type` of `body`. */
  type?: string;
  /** Who sends it. Default: a key with all scopes. */
  as?: 'nobody' | 'revoked' | readonly Scope[];
}

/**
 * A bad request and its exact response: what is wrong, method and path, what is sent, status, `code`, and a text that `message` or an
 * entry of `errors` contains. The entries are compared as `line 3, email: must be …`. Names in braces are those of the scene.
 */
export type BadInput = readonly [
  what: string,
  request: string,
  sent: Sent,
  status: number,
  code: string,
  says?: string,
];

/** A request whose query is invalid. */
export const badQuery = (
  what: string,
  request: string,
  query: string,
  says: string,
  sent: Sent = {},
): BadInput => [what, `${request}?${query}`, sent, 400, 'invalid_query', says];

/** A request whose JSON body is invalid. */
export const badBody = (
  what: string,
  request: string,
  json: unknown,
  says: string,
  code = 'invalid_body',
): BadInput => [what, request, { json }, 400, code, says];

export const csv = (text: string | Uint8Array): Sent => ({ type: 'text/csv', body: text });

const BOUNDARY = 'a-boundary';

/** A multipart body. A part is its headers, an empty line and its content. */
export const multipart = (...parts: string[]): Sent => ({
  type: `multipart/form-data; boundary=${BOUNDARY}`,
  body: `${parts.map((part) => `--${BOUNDARY}\r\n${part}\r\n`).join('')}--${BOUNDARY}--\r\n`,
});

/** A file part. */
export const file = (content: string, name = 'file'): string =>
  `Content-Disposition: form-data; name="${name}"; filename="x.csv"\r\n\r\n${content}`;
