import { z } from 'zod';
import { cronError } from '../../../workers/heartbeats/next-problem.js';
import { isTimeZone } from '../../../workers/text/time-zone.js';
import { descriptionText, severityText, timeZoneName } from '../../endpoint/parameters.js';

const MAX_SECONDS = 366 * 24 * 60 * 60;

export const heartbeatName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'must be 1 to 64 letters, digits, ".", "_" or "-", and start with a letter or digit',
  )
  .meta({ description: 'Unique in its integration; a part of the URL to ping' });

const seconds = (least: number) => z.number().int().min(least).max(MAX_SECONDS);

const byPeriod = z.strictObject({
  periodSeconds: seconds(60).meta({ description: 'Between two pings' }),
});
const byCron = z.strictObject({
  cron: z.string().trim().min(1).max(100).meta({
    description: 'Five fields: minute, hour, day of the month, month, day of the week',
  }),
  timeZone: timeZoneName.default('UTC'),
});

const schedule = z
  .union([byPeriod, byCron])
  .superRefine((value, context) => {
    if (!('cron' in value) || !isTimeZone(value.timeZone)) return;
    const message = cronError(value);
    if (message) context.addIssue({ code: 'custom', path: ['cron'], message });
  })
  .meta({ description: 'When a ping is expected' });

export const heartbeatSettings = z.strictObject({
  description: descriptionText.default(''),
  schedule,
  graceSeconds: seconds(0)
    .default(300)
    .meta({ description: 'How long a ping may be late. Time in which Muster did not listen does not count' }),
  maxRunSeconds: seconds(1)
    .nullable()
    .default(null)
    .meta({ description: 'How long a run may take after its `start`. Null: any time' }),
  severity: severityText.default('error').meta({ description: 'Of the alerts' }),
});

const STATES = ['new', 'up', 'running', 'late', 'failing', 'overrun'] as const;

const time = z.iso.datetime().nullable();

export const heartbeatSchema = z
  .object({
    name: heartbeatName,
    description: z.string(),
    schedule: z
      .union([
        z.object({ periodSeconds: z.number().int() }),
        z.object({ cron: z.string(), timeZone: z.string() }),
      ])
      .nullable()
      .meta({
        description:
          '`null`: a ping of another product created it, and nothing is expected until it has a schedule',
      }),
    graceSeconds: z.number().int(),
    maxRunSeconds: z.number().int().nullable(),
    severity: z.string(),
    state: z.enum(STATES).meta({
      description:
        '`new`: no ping yet, so none is expected. `up`: the last run succeeded. `running`: it started. `late`: no ping came in time. `failing`: the last ' +
        'run failed. `overrun`: it takes too long',
    }),
    lastSuccessAt: time,
    lastStartAt: time,
    lastFailureAt: time,
    lastExitStatus: z.number().int().nullable().meta({ description: 'Of the last failure' }),
    nextExpectedAt: time.meta({ description: 'When the next ping is expected, without the grace period' }),
    url: z
      .string()
      .nullable()
      .meta({ description: 'The URL to ping. Masked without the scope `webhooks:write`' }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Heartbeat' });
