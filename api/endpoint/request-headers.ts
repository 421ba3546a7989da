import { z } from 'zod';
import { IDEMPOTENCY_KEY } from '../idempotency/only-once.js';

const text = (description: string, max = 1_000) => z.string().max(max).optional().meta({ description });

/** The headers that mean something to some routes only, as OpenAPI tells of them. */
export const REQUEST_HEADERS = {
  'Idempotency-Key': z.string().regex(IDEMPOTENCY_KEY).optional().meta({
    description: 'Whatever is sent again under the same key has one effect, and within 24 h the same answer',
  }),
  Prefer: text(
    '`wait=N`: wait for the job at most so many seconds, up to 60; `respond-async`: not at all. `Preference-Applied` tells',
  ),
  Range: text('`bytes=FROM-TO`, one range: that part of the file alone (206)'),
  'If-Range': text('An `ETag`: the part only if the file is that one, else the whole'),
  'If-None-Match': text('An `ETag`, or several: 304 without a body if the content is still that version'),
  'webhook-id': text('A delivery id: sent again, it is the same event', 255),
  'svix-id': text('A delivery id, as `webhook-id`', 255),
  'X-GitHub-Delivery': text('A delivery id, as `webhook-id`', 255),
  'x-amz-sns-message-id': text('A delivery id, as `webhook-id`', 255),
} as const;

export type RequestHeader = keyof typeof REQUEST_HEADERS;
