import { z } from 'zod';
import { MESSAGE_TYPES } from '../../../../workers/outbox/presets/preset.js';

export const rehearsedMessageSchema = z
  .object({
    alertId: z.uuid(),
    alertTitle: z.string().nullable(),
    webhookId: z.uuid(),
    at: z.iso.datetime().meta({ description: 'When the alert changed' }),
    type: z.enum(MESSAGE_TYPES),
    state: z.enum(['sent', 'filtered', 'superseded', 'dead']).meta({
      description: '`sent`: a request would be made. The others as in `Message`',
    }),
    reason: z.string().nullable().meta({ description: 'Why it is not sent, as in `Message`' }),
    detail: z.string().nullable().meta({
      description:
        'Which clause of the filter is false, what is wrong with the body, or why the filter cannot decide',
    }),
    body: z.string().nullable().meta({ description: 'Null if it cannot be drawn. A secret is left out' }),
    bytes: z.number().int().nullable(),
    isCut: z.boolean().meta({ description: 'Whether texts were cut, because the receiver takes no more' }),
  })
  .meta({ id: 'RehearsedMessage' });

const counted = z.object({ message: z.string(), count: z.number().int(), alertId: z.uuid() });

export const rehearsalSchema = z
  .object({
    from: z.iso.datetime(),
    until: z.iso.datetime().meta({ description: 'Up to which time alerts were looked at' }),
    isComplete: z
      .boolean()
      .meta({ description: 'False if it stopped before now, after 20,000 alerts or 5 s' }),
    notConsidered: z.array(z.enum(['mutes', 'superseding', 'repeats', 'digests'])).meta({
      description:
        'What it leaves out although a destination with these settings has it: earlier `mutedUntil` of integrations, messages that wait and are superseded (mode `latest`), ' +
        'repetitions, and digests, which would be counted as one message',
    }),
    alerts: z
      .number()
      .int()
      .meta({ description: 'Alerts of the chosen integrations that opened in this time' }),
    sent: z.number().int(),
    unsent: z.array(
      z.object({
        state: z.enum(['filtered', 'superseded', 'dead']),
        reason: z.string(),
        clause: z.string().nullable().meta({ description: 'Of the filter' }),
        count: z.number().int(),
      }),
    ),
    days: z
      .array(z.object({ day: z.iso.date(), sent: z.number().int(), unsent: z.number().int() }))
      .meta({ description: 'By day, in UTC, oldest first' }),
    busiestMinute: z.object({ at: z.iso.datetime(), sent: z.number().int() }).nullable(),
    rate: z
      .object({
        perMinute: z.number().int(),
        longestWaitSeconds: z.number().int(),
        delayed: z
          .number()
          .int()
          .meta({ description: 'Messages that would have waited for more than a minute' }),
      })
      .nullable()
      .meta({
        description:
          'What the rate would have done, if nothing superseded a message that waits. Null: unlimited',
      }),
    largestBytes: z.number().int().nullable().meta({ description: 'Of a body' }),
    cut: z
      .number()
      .int()
      .meta({ description: 'Messages whose texts were cut, because the receiver takes no more' }),
    bodyFaults: z
      .array(counted)
      .meta({ description: 'Why bodies could not be drawn: the first 20 reasons, each with an alert' }),
    filterFaults: z.array(counted).meta({ description: 'Why the filter could not decide, likewise' }),
    messages: z
      .array(rehearsedMessageSchema)
      .meta({ description: 'The first 50 that would be sent, or would be dead' }),
  })
  .meta({ id: 'Rehearsal' });

export type RehearsedMessage = z.input<typeof rehearsedMessageSchema>;
export type Rehearsal = z.input<typeof rehearsalSchema>;
