import { z } from 'zod';
import { CHALLENGES, OVER_LIMIT_STATUSES } from '../../../db/webhooks/webhooks.js';
import { authorSchema } from '../../endpoint/error-responses.js';
import { managedBy } from '../../endpoint/managed-by.js';
import { descriptionText, pathName, severityText, timeZoneName } from '../../endpoint/parameters.js';
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

const resolveAfterSeconds = z
  .number()
  .int()
  .min(60)
  .max(30 * 24 * 60 * 60)
  .nullable()
  .meta({
    description:
      'A firing alert is resolved (`resolvedBy` is `expiry`) once no event has come for this long. Only time in which Muster accepted events ' +
      'counts. Use at least three times the interval at which the source repeats a firing alert. Null: alerts fire until something resolves them',
  });

const DAY = z.number().int().min(1).max(7);
const timeOfDay = (least: RegExp) => z.string().regex(least, 'must be a time of the day, such as 08:00');
export const openHours = z.strictObject({
  days: z
    .array(DAY)
    .min(1)
    .max(7)
    .refine((days) => new Set(days).size === days.length, 'must not name a day twice')
    .meta({ description: 'Days of the week: 1 is Monday, 7 Sunday' }),
  from: timeOfDay(/^(?:[01]\d|2[0-3]):[0-5]\d$/),
  to: timeOfDay(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/).meta({
    description: 'Up to `24:00`. A time that is not after `from` is on the next day',
  }),
  timeZone: timeZoneName,
});

const silence = z
  .strictObject({
    afterSeconds: z
      .number()
      .int()
      .min(300)
      .max(30 * 24 * 60 * 60),
    severity: severityText.default('error').meta({ description: 'Of the alert' }),
    schedule: openHours
      .nullable()
      .default(null)
      .meta({ description: 'The hours in which events are expected. Null: always' }),
  })
  .nullable()
  .meta({
    description:
      'If no event is kept for this long, that is an alert of the integration with the `dedupKey` `muster:silence`, which the next event resolves. Events that ' +
      'the filter drops or that are rejected do not count, and the alert says so. Time in which Muster did not listen does not count either. Null: none',
  });

const driftSeverity = severityText.nullable().meta({
  description:
    'Severity of the alerts that Muster raises where events no longer fit the mapping: a path that they no longer contain, or a severity, status or ' +
    'mapped word that it does not know. Their `dedupKey` starts with `muster:drift:`. A new type of event is an alert of severity `info`. Null: no alerts',
});

const mutedUntil = z.iso.datetime({ offset: true }).nullable().meta({
  description:
    'Until then no destination is told of alerts of the integration, such as during maintenance. Events and alerts are stored as ever; what still fires at the end is told then. Null: not muted',
});

export const newWebhookSchema = z.strictObject({
  name: pathName,
  description: descriptionText.default(''),
  template: z.string().max(40).nullable().default(null),
  signature: newSignatureSchema.nullable().default(null),
  rateLimit: rateLimit.nullable().default(null),
  challenge: challenge.default(null),
  resolveAfterSeconds: resolveAfterSeconds.default(null),
  silence: silence.default(null),
  driftSeverity: driftSeverity.default('warning'),
  mutedUntil: mutedUntil.default(null),
});

export const webhookChangeSchema = z
  .strictObject({
    name: pathName.optional(),
    description: descriptionText.optional(),
    signature: signatureChangeSchema.nullable().optional(),
    rateLimit: rateLimit.nullable().optional(),
    challenge: challenge.optional(),
    resolveAfterSeconds: resolveAfterSeconds.optional(),
    silence: silence.optional(),
    driftSeverity: driftSeverity.optional(),
    mutedUntil: mutedUntil.optional(),
    managedBy: managedBy.optional(),
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
    resolveAfterSeconds,
    silence,
    driftSeverity,
    mutedUntil,
    managedBy,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Webhook' });
