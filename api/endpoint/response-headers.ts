import { z } from 'zod';

const text = (description: string) => z.string().max(8_000).meta({ description });
const seconds = (description: string) =>
  z
    .string()
    .regex(/^\d+$/)
    .meta({ description, override: { type: 'integer', minimum: 0, maximum: 86_400 } });

/** The response headers that mean something to a client, as the OpenAPI document describes them. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': text(
    'The request in our logs: your own `X-Request-Id` if it is a plain word, else a new one',
  ),
  'Cache-Control': text('`no-store` where the response may hold personal data or secrets'),
  'Retry-After': seconds('Seconds to wait before the next attempt'),
  Location: text('Path of the resource that was created or accepted'),
  'Content-Location': text('Path where the same file can be downloaded again, also in parts'),
  Link: text('`rel="next"`: the next page (RFC 8288); absent on the last page'),
  ETag: text('Identifies this version of the content; send it in `If-None-Match`'),
  'WWW-Authenticate': text('The authentication that is needed: `ApiKey`'),
  'Preference-Applied': text('Which preference of `Prefer` was followed (RFC 7240)'),
  'Idempotency-Replayed': z
    .string()
    .meta({ description: 'The response was recorded earlier', override: { type: 'string', enum: ['true'] } }),
  'Content-Disposition': text('`attachment` with a file name (RFC 6266)'),
  'Accept-Ranges': z.string().meta({
    description: 'Parts can be requested by `Range`',
    override: { type: 'string', enum: ['bytes'] },
  }),
  'Content-Range': text('Which bytes these are, and of how many'),
} as const;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** Headers of a response, and whether it always has them. */
export type HeaderDocs = Partial<Record<ResponseHeader, 'always' | 'sometimes'>>;
