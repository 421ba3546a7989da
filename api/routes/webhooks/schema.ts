import { z } from 'zod';
import { CHALLENGES, OVER_LIMIT_STATUSES } from '../../../db/webhooks/webhooks.js';
import { authorSchema } from '../../endpoint/error-responses.js';
import { descriptionText, nameText } from '../../endpoint/parameters.js';
import { newSignatureSchema, signatureChangeSchema, signatureSchema } from './signature-schema.js';

const rateLimit = z.strictObject({
  eventsPerMinute: z.number().int().min(1).max(10_000_000),
  overLimitStatus: z
    .union(OVER_LIMIT_STATUSES.map((status) => z.literal(status)))
    .default(503)
    .meta({ description: 'Most senders retry after 503, and drop the event after 429' }),
});

const challenge = z.enum(CHALLENGES).nullable().meta({
  description: 'The handshake to respond to. Null: none',
});

export const newWebhookSchema = z.strictObject({
  name: nameText,
  description: descriptionText.default(''),
  template: z.string().max(40).nullable().default(null),
  signature: newSignatureSchema.nullable().default(null),
  rateLimit: rateLimit.nullable().default(null),
  challenge: challenge.default(null),
});

export const webhookChangeSchema = z
  .strictObject({
    name: nameText.optional(),
    description: descriptionText.optional(),
    signature: signatureChangeSchema.nullable().optional(),
    rateLimit: rateLimit.nullable().optional(),
    challenge: challenge.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'must have at least one property to change');

export const rotationSchema = z.strictObject({
  graceSeconds: z
    .number()
    .int()
    .min(0)
    .max(30 * 24 * 60 * 60)
    .default(0),
});

const urlSchema = z.object({
  url: z.string().nullable().meta({ description: 'Masked without the scope `webhooks:write`' }),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
});

export const webhookSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    description: z.string(),
    template: z.string().nullable(),
    mappingRevision: z
      .number()
      .int()
      .meta({ description: 'Revision of the current mapping. 0: there is none yet' }),
    url: z.string().nullable().meta({ description: 'The URL to send events to: the newest of `urls`' }),
    urls: z.array(urlSchema),
    signature: signatureSchema.nullable(),
    rateLimit: z.object({ eventsPerMinute: z.number().int(), overLimitStatus: z.number().int() }).nullable(),
    revision: z.number().int().meta({
      description: 'Counts the changes of these settings, without those of the mapping. See `If-Match`',
    }),
    savedBy: authorSchema,
    challenge,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Webhook' });
