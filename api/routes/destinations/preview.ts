import { z } from 'zod';
import { requireScope } from '../../access/auth.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, type Input, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { faultsIn, throwFaults } from '../../http/faults.js';
import { withinDeadline } from '../../lists/read-with-deadline.js';
import { oneAtATime, type Pause } from '../../preview/one-at-a-time.js';
import { requireBody, requireFilter } from './drawn.js';
import { digestFor, digestOf, rateOf, requirePreset } from './preset-rules.js';
import { previewLast, type Rehearsing, rehearse } from './rehearsal/rehearse.js';
import type { RehearsedSettings } from './rehearsal/rehearsed.js';
import { rehearsalSchema, rehearsedMessageSchema } from './rehearsal/schema.js';
import { newDestinationSchema } from './schema.js';

/** Settings, without what only sending needs. */
const settings = newDestinationSchema.pick({
  preset: true,
  webhookIds: true,
  types: true,
  severityAtLeast: true,
  filter: true,
  body: true,
  mode: true,
  settleSeconds: true,
  ratePerMinute: true,
  repeatEveryMinutes: true,
  digestAbove: true,
});
const previewBody = settings.extend({
  last: z.number().int().min(1).max(20).default(5).meta({ description: 'How many of the newest alerts' }),
});
const rehearsalBody = settings.extend({
  days: z.number().int().min(1).max(7).default(7).meta({ description: 'How many days back' }),
});

export const previewDestination = defineRoute({
  method: 'post',
  path: '/v2/destinations/preview',
  operationId: 'previewDestination',
  changesNothing: true,
  tag: 'Destination',
  summary: 'Preview what a destination would get of the newest alerts. Sends and stores nothing',
  description:
    'Each alert is shown as if it had just changed to what it is now, and nobody had been told of it: whether it would be filtered, by which clause, and the body. ' +
    'The destination need not be saved. Alerts of the last 90 days are used. Also needs the scope `alerts:read`.',
  scopes: ['destinations:write'],
  query: NO_QUERY,
  params: NO_PARAMS,
  requestBody: { 'application/json': previewBody },
  responses: {
    200: {
      description: 'A message for each alert, the newest first',
      body: z.object({ ...success, data: z.array(rehearsedMessageSchema) }),
    },
    ...failures(400, 415, 503),
  },
  handle: async (input) => {
    const { last, ...given } = await readJson(input.ctx, previewBody);
    const data = await rehearsing(input, given, (rehearsing, settings) =>
      previewLast(rehearsing, settings, last),
    );
    input.ctx.body = { status: 'success', data };
  },
});

export const rehearseDestination = defineRoute({
  method: 'post',
  path: '/v2/destinations/rehearsal',
  operationId: 'rehearseDestination',
  changesNothing: true,
  tag: 'Destination',
  summary: 'Tell what a destination would have got in the last days. Sends and stores nothing',
  description:
    'Reads the alerts that opened in this time, with the changes of their severity and their ends, and decides about them as for a destination that had existed then; `notConsidered` says ' +
    'what is left out. It stops after 20,000 alerts or 5 s; `isComplete` is then false, and `until` says how far it came. The destination need not be saved. Also needs the scope ' +
    '`alerts:read`.',
  scopes: ['destinations:write'],
  query: NO_QUERY,
  params: NO_PARAMS,
  requestBody: { 'application/json': rehearsalBody },
  responses: {
    200: { description: 'What it would have got', body: z.object({ ...success, data: rehearsalSchema }) },
    ...failures(400, 415, 503),
  },
  handle: async (input) => {
    const { days, ...given } = await readJson(input.ctx, rehearsalBody);
    const data = await rehearsing(input, given, (rehearsing, settings) =>
      rehearse(rehearsing, settings, days),
    );
    input.ctx.body = { status: 'success', data };
  },
});

/** Checks settings as they are checked when they are saved, and rehearses when nobody else does. */
async function rehearsing<T>(
  input: Pick<Input<object, object>, 'ctx' | 'principal' | 'services'>,
  { preset: name, mode, ratePerMinute, digestAbove, filter, ...given }: z.infer<typeof settings>,
  rehearsal: (rehearsing: Rehearsing, settings: RehearsedSettings) => Promise<T>,
): Promise<T> {
  const { services, principal } = input;
  requireScope(principal, ['alerts:read']);
  const preset = requirePreset(name);
  throwFaults(
    faultsIn(
      () => requireFilter(filter),
      () => requireBody(preset, given.body),
      () => digestFor(preset, digestAbove ?? null),
    ),
  );
  const rate = ratePerMinute === undefined ? rateOf(preset) : ratePerMinute;
  const checked = {
    ...given,
    preset,
    mode: mode ?? preset.mode,
    filter: filter || null,
    ratePerMinute: rate,
    digestAbove: digestAbove === undefined ? digestOf(preset) : digestAbove,
  };
  const { publicUrl } = services.settings;
  const now = services.clock.now();
  return oneAtATime(input, (pause: Pause) =>
    services.reading.read((database) =>
      withinDeadline(NARROW, rehearsal({ database, publicUrl, now, pause }, checked)),
    ),
  );
}

const NARROW = 'Choose some integrations in `webhookIds`, or try again when the database is less busy.';
