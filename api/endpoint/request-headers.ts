import { z } from 'zod';
import { IDEMPOTENCY_KEY } from '../idempotency/only-once.js';

const text = (description: string, max = 1_000) => z.string().max(max).optional().meta({ description });

/** The request headers that only some routes use, as the OpenAPI document describes them. */
export const REQUEST_HEADERS = {
  'Idempotency-Key': z.string().regex(IDEMPOTENCY_KEY).optional().meta({
    description:
      'Makes a retry safe: a request with the same key takes effect once, and within 24 h gets the same response',
  }),
  Prefer: text(
    '`wait=N` waits up to N seconds for the job or for changes, 60 at most; `respond-async` does not wait; `read=primary` makes a list, a count or an export read ' +
      'from the primary database if there is a replica. See `Preference-Applied`',
  ),
  Range: text('`bytes=FROM-TO`, a single range: returns only this part of the file (206)'),
  'If-Range': text(
    'An `ETag`: returns the part only if the file has this `ETag`, otherwise the complete file',
  ),
  'If-None-Match': text(
    'One or more `ETag`s: returns 304 without a body if the content still has one of them',
  ),
  'If-Match': text(
    'The `ETag` that you read: changes nothing (412) if somebody else has saved a newer revision since. `*`: any that exists',
  ),
  'Content-Encoding': z.enum(['gzip', 'deflate']).optional().meta({
    description: 'The coding of a compressed body. The size limit applies before and after decompression',
  }),
  'svix-id': text('A delivery id, like `webhook-id`: an event with the same id is stored only once', 255),
  'X-GitHub-Delivery': text('A delivery id, like `svix-id`', 255),
  'x-amz-sns-message-id': text('A delivery id, like `svix-id`', 255),
  'WebHook-Request-Origin': text('The DNS name of a CloudEvents sender that asks for permission', 300),
  'WebHook-Request-Rate': text('Ignored: the rate limit of the integration applies', 20),
} as const;

export type RequestHeader = keyof typeof REQUEST_HEADERS;
