import { z } from 'zod';
import { RANKED_SEVERITIES } from '../../../db/events/alerts/severity-rank.js';
import { MESSAGE_STATES } from '../../../db/outbox/transitions.js';
import { TROUBLES } from '../../../db/outbox/trouble.js';
import { isMailAddress } from '../../../workers/outbound/mail-address.js';
import { headerError } from '../../../workers/outbox/custom-headers.js';
import { PRESETS, presetOf } from '../../../workers/outbox/presets/index.js';
import { MESSAGE_TYPES } from '../../../workers/outbox/presets/preset.js';
import { authorSchema } from '../../endpoint/error-responses.js';
import { managedBy } from '../../endpoint/managed-by.js';
import { descriptionText, pathName } from '../../endpoint/parameters.js';
import { bodySchema, filterSchema } from './drawn.js';

const url = z.string().trim().max(2_000).meta({
  description:
    'Where messages are sent, for all presets but `email`. It must be `https:`, and its host must be public unless `OUTBOUND_ALLOW` lists it',
});
const recipients = z
  .array(
    z.string().trim().refine(isMailAddress, 'must be an e-mail address such as ada@example.com, in ASCII'),
  )
  .min(1)
  .max(20)
  .refine(
    (list) => new Set(list.map((one) => one.toLowerCase())).size === list.length,
    'must not name an address twice',
  )
  .meta({
    description: 'The e-mail addresses to which mails are sent, instead of a URL, for the preset `email`',
  });
const secret = z.string().trim().min(1).max(500).meta({
  description:
    'What the receiver needs besides the URL: the routing key of PagerDuty. For `webhook`, the secret of the signature (`whsec_…`); without one, Muster makes it. Other presets take none',
});
const secretChange = secret.meta({
  description:
    'The new routing key of PagerDuty, which must also be given if the URL gets another host. For `webhook`, the new secret of the signature, without a grace period',
});
const headers = z
  .record(z.string(), z.string())
  .superRefine(checkHeaders)
  .meta({
    description:
      'Sent with each message, for the presets `webhook` and `alertmanager`: at most 20 headers with Latin-1 values, such as `authorization`. Not `host`, `user-agent`, `content-…`, ' +
      '`webhook-…` and those that change how a request is transferred. Values are never shown',
  });
export const headerChange = z.record(z.string(), z.string().nullable()).superRefine(checkHeaders).meta({
  description:
    'Headers to set; null removes one, and others stay. If the URL gets another host, each of them must be given again or removed',
});
const webhookIds = z.array(z.uuid().toLowerCase()).min(1).max(1_000).nullable().meta({
  description: 'The integrations whose alerts it is told of. Null: all',
});
const types = z
  .array(z.enum(MESSAGE_TYPES))
  .refine((list) => new Set(list).size === list.length, 'must not name a type twice')
  .meta({
    description:
      'What it is told of alerts: `alert.fired`, without which it would hear of neither changes nor ends, and others. Empty: nothing. It is told of the jobs whose requests name it as `callback` in any case',
  });
const severityAtLeast = z.enum(RANKED_SEVERITIES).nullable().meta({
  description:
    'Only alerts at least so severe. An alert that was told is told on until it is over, also if it becomes less severe. Null: all alerts',
});
const mode = z.enum(['every', 'latest']).meta({
  description:
    '`every`: each message, in order for each key. `latest`: if several messages about a key wait, only the newest. Default: as the preset needs',
});
const settleSeconds = z.number().int().min(0).max(3_600).meta({
  description: 'How long a new alert waits. If it is over by then, nothing is sent',
});
const ratePerMinute = z.number().int().min(1).max(60_000).nullable().meta({
  description: 'The most messages in a minute. Null: any number. Default: as the preset needs',
});
const repeatEveryMinutes = z
  .number()
  .int()
  .min(1)
  .max(7 * 24 * 60)
  .nullable()
  .meta({
    description:
      'After how long it is told again of an alert that still fires (`alert.repeated`), counted from when it was told last. Null: never. Alertmanager is told every hour anyway, because it would end the alert otherwise',
  });
const digestAbove = z.number().int().min(1).max(100).nullable().meta({
  description:
    'If more messages are due than this, they are sent as one, with counts and the first 10 alerts. Only for chats and e-mail, for which the default is 20. Null: never',
});

/** Rejects each invalid header, without its value. */
export function checkHeaders(
  given: Record<string, string | null>,
  { addIssue }: Pick<z.core.$RefinementCtx, 'addIssue'>,
): void {
  const names = new Set<string>();
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase();
    const message = names.has(lower) ? `has ${lower} twice` : headerError(name, value);
    if (message) addIssue({ code: 'custom', message });
    names.add(lower);
  }
}

export const newDestinationSchema = z.strictObject({
  name: pathName,
  description: descriptionText.default(''),
  preset: z
    .string()
    .refine((name) => presetOf(name) !== null, `must be one of ${Object.keys(PRESETS).join(', ')}`),
  url: url.optional(),
  recipients: recipients.optional(),
  secret: secret.optional(),
  headers: headers.default({}),
  webhookIds: webhookIds.default(null),
  types: types.default([...MESSAGE_TYPES]),
  severityAtLeast: severityAtLeast.default(null),
  filter: filterSchema.default(null),
  body: bodySchema.default(null),
  mode: mode.optional(),
  settleSeconds: settleSeconds.default(0),
  ratePerMinute: ratePerMinute.optional(),
  repeatEveryMinutes: repeatEveryMinutes.default(null),
  digestAbove: digestAbove.optional(),
  paused: z.boolean().default(false),
});

export const destinationChangeSchema = z
  .strictObject({
    name: pathName.optional(),
    description: descriptionText.optional(),
    url: url.optional(),
    recipients: recipients.optional(),
    secret: secretChange.optional(),
    headers: headerChange.optional(),
    webhookIds: webhookIds.optional(),
    types: types.optional(),
    severityAtLeast: severityAtLeast.optional(),
    filter: filterSchema.optional(),
    body: bodySchema.optional(),
    mode: mode.optional(),
    settleSeconds: settleSeconds.optional(),
    ratePerMinute: ratePerMinute.optional(),
    repeatEveryMinutes: repeatEveryMinutes.optional(),
    digestAbove: digestAbove.optional(),
    paused: z
      .boolean()
      .optional()
      .meta({ description: '`false` also goes on with a destination that was stopped' }),
    managedBy: managedBy.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'must have at least one property to change');

export const destinationSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    description: z.string(),
    preset: z.string(),
    host: z
      .string()
      .meta({ description: 'Of the URL, which is never shown, or the domains of the recipients' }),
    recipients: recipients.nullable().meta({ description: 'Of the preset `email`; null for others' }),
    headerNames: z
      .array(z.string())
      .meta({ description: 'The names of its `headers`, in lower case. Their values are never shown' }),
    webhookIds: z.array(z.uuid()).nullable().meta({
      description: 'The integrations whose alerts it is told of. Null: all. Empty: none',
    }),
    types,
    severityAtLeast,
    filter: filterSchema,
    body: bodySchema,
    mode,
    settleSeconds,
    ratePerMinute,
    repeatEveryMinutes,
    digestAbove,
    managedBy,
    state: z.enum(['active', 'failing', 'paused', 'stopped']).meta({
      description:
        '`failing`: the last attempts failed, and one message at a time tries again. `paused`: somebody paused it. `stopped`: its receiver is gone (410), or has not ' +
        'responded for three days. Messages wait in all of these, for up to a day',
    }),
    stoppedBecause: z.enum(['gone', 'failing']).nullable(),
    waiting: z.number().int().meta({ description: 'Messages that wait' }),
    failures: z.number().int().meta({ description: 'Attempts that failed in a row' }),
    failingSince: z.iso.datetime().nullable(),
    trouble: z
      .object({ problem: z.enum(TROUBLES), since: z.iso.datetime() })
      .nullable()
      .meta({
        description:
          'What Muster has raised an alert about, with the `dedupKey` `muster:destination:ID`, until its next success. `gone` and `stopped`: as `stoppedBecause`. `failing`: for ' +
          '15 minutes, also if it only asks to wait. `unreadable`: its URL or secret cannot be decrypted, or no worker has a key. `dead`: a message was given up',
      }),
    succeededAt: z.iso.datetime().nullable(),
    revision: z.number().int(),
    savedBy: authorSchema,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Destination' });

export const messageSchema = z
  .object({
    id: z.string().meta({ description: 'The header `webhook-id`, the same at each attempt' }),
    sequence: z.number().int(),
    destinationId: z.uuid(),
    alertId: z.uuid().nullable().meta({ description: 'The alert that it is about; null if that is a job' }),
    alertTitle: z.string().nullable().meta({ description: 'The title that the alert had then' }),
    webhookId: z.uuid().nullable().meta({ description: 'The integration of the alert' }),
    jobId: z.uuid().nullable().meta({ description: 'The job that it is about; null if that is an alert' }),
    jobType: z.string().nullable().meta({ description: 'The type of that job' }),
    change: z.enum(['fired', 'changed', 'resolved', 'repeated', 'finished']).meta({
      description: 'What happened to the alert. `repeated`: it still fires. `finished`: the job has ended',
    }),
    createdAt: z.iso.datetime(),
    state: z.enum(MESSAGE_STATES).meta({
      description:
        '`waiting`, or how it ended. `digested`: it was sent as part of the message `digestedInto`. `superseded`: a newer message, or nothing new. `filtered`: not severe enough, by the filter, or of a type that is not sent. `muted`: the integration was. ' +
        '`expired`: after a day, or 7 days if it is about a job, or with its destination. `dead`: after the last attempt. `canceled`: when the destination was resumed',
    }),
    reason: z.string().nullable().meta({
      description:
        'Why it ended: `digested`, `superseded`, `settled`, `unchanged` (the destination already knew it), `not_told` (nobody was told that the alert fired), `severity`, `filter`, `type`, `own_trouble` (it is about the destination itself), `muted`, `expired`, `deleted` (the destination), `canceled`, `body` (it could not be drawn), or the outcome of the last attempt',
    }),
    detail: z.string().nullable().meta({
      description:
        'Which clause of the filter was false and what it read, what is wrong with the body, or why the filter could not decide',
    }),
    digestedInto: z.number().int().nullable().meta({
      description: 'The `sequence` of the message that was sent instead, with others, if it is `digested`',
    }),
    attempts: z.number().int(),
    dueAt: z.iso.datetime().nullable().meta({ description: 'Of the next attempt; null if it has ended' }),
    endedAt: z.iso.datetime().nullable(),
    replayedAt: z.iso.datetime().nullable().meta({ description: 'When somebody had it sent again' }),
  })
  .meta({ id: 'Message' });

export const attemptSchema = z.object({
  number: z.number().int(),
  beganAt: z.iso.datetime().nullable().meta({
    description: 'This and all that follows are null while it goes on, and if the worker was stopped',
  }),
  tookMs: z.number().int().nullable(),
  outcome: z.string().nullable().meta({
    description:
      '`http_503`, or why there was no response: `dns`, `refused`, `reset`, `tls`, `timeout`, `blocked_address`',
  }),
  status: z.number().int().nullable(),
  response: z
    .string()
    .nullable()
    .meta({ description: 'The start of the response. Null without the scope `destinations:write`' }),
});

/** Messages that were given up for the same reason. */
export const givenUpSchema = z.object({
  state: z.enum(MESSAGE_STATES),
  reason: z.string().nullable(),
  class: z.string().meta({
    description:
      '`status` for all responses, otherwise the reason: `dns`, `refused`, `reset`, `tls`, `timeout`, `expired`, `canceled`',
  }),
  count: z.number().int(),
  firstAt: z.iso.datetime().meta({ description: 'When the first of them was given up' }),
  lastAt: z.iso.datetime(),
});
