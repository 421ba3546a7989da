import { z } from 'zod';
import { findDriftState } from '../../../db/webhooks/drift-states.js';
import {
  type EventPlace,
  NEW_STATE,
  type Problem,
  parseDriftState,
} from '../../../workers/drift/drift-state.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { requireWebhook } from './mapping-revisions.js';

const eventPlace = z.object({ eventId: z.uuid(), at: z.iso.datetime() });
const field = z.string().meta({ description: 'As in the errors of an alert, or `filter`' });
const shownBy = { eventId: z.uuid().meta({ description: 'The event that shows it' }), at: z.iso.datetime() };

export const driftSchema = z.object({
  revision: z.number().int().meta({ description: 'Of the mapping that the events were compared with' }),
  events: z.number().int().meta({ description: 'How many events were compared' }),
  paths: z
    .array(
      z.object({
        field,
        path: z.string(),
        found: z.number().int().meta({ description: 'How many events contained it' }),
        missing: z.number().int().meta({ description: 'How many of the newest events did not, in a row' }),
        longestGap: z.number().int().meta({ description: 'The most events in a row that did not, before' }),
        last: eventPlace.nullable().meta({ description: 'The newest event that contained it' }),
      }),
    )
    .meta({ description: 'The paths that the mapping looks up in every payload' }),
  types: z
    .array(z.string())
    .nullable()
    .meta({ description: 'The types that events state. Null: too many to tell them apart' }),
  problems: z.array(
    z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('path'),
        ...shownBy,
        field,
        path: z.string(),
        proposed: z.string().nullable().meta({ description: 'A path that the event has instead' }),
        last: eventPlace.nullable().meta({ description: 'The newest event that contained it' }),
      }),
      z.object({ kind: z.literal('word'), ...shownBy, field, word: z.string() }),
      z.object({ kind: z.literal('type'), ...shownBy, type: z.string() }),
    ]),
  ),
});

export const getDrift = defineRoute({
  method: 'get',
  path: '/v2/webhooks/{id}/drift',
  operationId: 'getDrift',
  tag: 'Webhook',
  summary: 'Get where events no longer fit the mapping',
  description:
    'Workers compare new events with what the mapping looks up, once a minute: all of them, or the newest 200 of every 10 minutes. A path is ' +
    'missing if at least 5 events contained it, and at least 20 in a row do not, three times as many as ever before. Each problem is also an alert, see `driftSeverity`.',
  scopes: ['webhooks:read', 'webhooks:write'],
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: {
    200: { description: 'What the events looked like', body: z.object({ ...success, data: driftSchema }) },
    ...failures(404),
  },
  handle: async ({ ctx, params: { id }, services }) => {
    const { mappingRevision } = await requireWebhook(services, id);
    const stored = await findDriftState(services.database, id);
    const { events, paths, types, problems } = stored ? parseDriftState(stored.state) : NEW_STATE;
    ctx.body = {
      status: 'success',
      data: {
        revision: stored?.revision ?? mappingRevision,
        events,
        paths: paths.map(({ last, types: _, typesThen: __, ...path }) => ({
          ...path,
          last: last && presentPlace(last),
        })),
        types,
        problems: problems.map(presentProblem),
      },
    };
  },
});

const presentPlace = ({ id, at }: EventPlace) => ({ eventId: id, at: new Date(at).toISOString() });

type Presented = z.input<typeof driftSchema>['problems'][number];

function presentProblem(problem: Problem): Presented {
  const place = presentPlace(problem);
  if (problem.kind === 'type') return { ...place, kind: 'type', type: problem.type };
  const { field } = problem;
  if (problem.kind === 'word') return { ...place, kind: 'word', field, word: problem.word };
  const { path, proposed, last } = problem;
  return { ...place, kind: 'path', field, path, proposed, last: last && presentPlace(last) };
}
