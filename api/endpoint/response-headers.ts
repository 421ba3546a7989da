import { z } from 'zod';

const text = (description: string) => z.string().max(8_000).meta({ description });
const seconds = (description: string) =>
  z
    .string()
    .regex(/^\d+$/)
    .meta({ description, override: { type: 'integer', minimum: 0, maximum: 86_400 } });

/** The response headers that the OpenAPI document describes. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': text(
    'Identifies the request in the logs: your own `X-Request-Id` if it is 1 to 64 letters, digits or `._-`, otherwise a new id',
  ),
  'Cache-Control': text('`no-store` if the response may contain personal data or secrets'),
  'Retry-After': seconds('Seconds to wait before the next request'),
  'RateLimit-Policy': text(
    'The limit of the integration, if it has one (draft-ietf-httpapi-ratelimit-headers): `"events";q=600;w=60` is 600 events in 60 s',
  ),
  RateLimit: text(
    'What is left of that limit: `"events";r=12;t=31` is 12 events, until it is full again in 31 s',
  ),
  Location: text('Path of the created or accepted resource'),
  'Content-Location': text('Path from which the same file can be downloaded again, also in parts'),
  Link: text('`rel="next"` is the next page (RFC 8288); absent on the last page'),
  'Muster-Next-Cursor': text('The `since` of the next request, also if there are no more changes yet'),
  ETag: text('Identifies this version of the content; send it in `If-None-Match`'),
  'WWW-Authenticate': text('The accepted authentication schemes: `ApiKey` and `Bearer`'),
  'Preference-Applied': text('The preferences of `Prefer` that were applied (RFC 7240)'),
  'Idempotency-Replayed': z.string().meta({
    description: 'The response was recorded for an earlier request with the same `Idempotency-Key`',
    override: { type: 'string', enum: ['true'] },
  }),
  'Content-Disposition': text('`attachment` with a file name (RFC 6266)'),
  Accept: text('The media types that a body may have'),
  'Accept-Encoding': text('The content codings that a body may have'),
  'Accept-Ranges': z.string().meta({
    description: 'Parts can be requested with `Range`',
    override: { type: 'string', enum: ['bytes'] },
  }),
  'Content-Range': text('The range of bytes in this response, and the size of the file'),
  Allow: text('The methods of this URL'),
  'WebHook-Allowed-Origin': text('The CloudEvents sender that may send events'),
  'WebHook-Allowed-Rate': text('The rate limit of the integration in events per minute, or `*` for none'),
} as const;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** The headers of a response, and whether it always has them. */
export type HeaderDocs = Partial<Record<ResponseHeader, 'always' | 'sometimes'>>;
