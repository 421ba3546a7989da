import { z } from 'zod';
import { heardTimes } from '../../../db/events/heard-events.js';
import { listeningPeriods } from '../../../db/upkeep/listening.js';
import { inBoth, openPeriods } from '../../../workers/silence/open-hours.js';
import { tryLimits } from '../../../workers/silence/try-rule.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { requireWebhook } from './mapping-revisions.js';
import { openHours } from './schema.js';

const MAX_EVENTS = 20_000;
const DAYS = 30;

export const trialSchema = z.object({
  from: z.iso
    .datetime()
    .meta({ description: 'The first event that was looked at, or the start of the time' }),
  to: z.iso.datetime(),
  events: z.number().int(),
  longestGapSeconds: z.number().int(),
  candidates: z
    .array(z.object({ afterSeconds: z.number().int(), alerts: z.number().int() }))
    .meta({ description: 'How many alerts a limit would have raised' }),
  proposedSeconds: z.number().int().nullable().meta({
    description:
      'The shortest of these limits that is half as long again as the longest gap. Null: there are fewer than 20 events, or none is',
  }),
});

export const trySilence = defineRoute({
  method: 'post',
  path: '/v2/webhooks/{id}/silence-trial',
  operationId: 'trySilence',
  changesNothing: true,
  tag: 'Webhook',
  summary: 'Propose after how long without an event an integration is silent',
  description:
    `Counts the alerts that limits would have raised over the stored events of the last ${DAYS} days, at most the newest ${MAX_EVENTS.toLocaleString('en-US')} ` +
    'that were kept. Only time in which Muster listened counts, and of that the hours of `schedule`.',
  scopes: ['webhooks:read', 'webhooks:write'],
  query: NO_QUERY,
  params: ID_PARAMS,
  requestBody: { 'application/json': z.strictObject({ schedule: openHours.nullable().default(null) }) },
  responses: {
    200: { description: 'The trial', body: z.object({ ...success, data: trialSchema }) },
    ...failures(400, 404, 415),
  },
  handle: async ({ ctx, params: { id }, services }) => {
    const { schedule } = await readJson(
      ctx,
      z.strictObject({ schedule: openHours.nullable().default(null) }),
    );
    const { database, clock } = services;
    await requireWebhook(services, id);
    const to = new Date(clock.now());
    const listened = await listeningPeriods(database);
    // Of the time before, nobody knows when Muster listened.
    const start = new Date(Math.max(to.getTime() - DAYS * 86_400_000, listened[0]?.from ?? to.getTime()));
    const times = (await heardTimes(database, id, { from: start, to }, MAX_EVENTS)).reverse();
    const [from = start] = times.length === MAX_EVENTS ? times : [];
    const range = { from: from.getTime(), to: to.getTime() };
    const periods = inBoth(listened, openPeriods(schedule, range));
    const found = tryLimits(
      times.map((time) => time.getTime()),
      periods,
    );
    const data = { from: from.toISOString(), to: to.toISOString(), events: times.length, ...found };
    ctx.body = { status: 'success', data };
  },
});
