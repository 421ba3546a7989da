import { z } from 'zod';
import { ALERT_STATES } from '../../../db/events/alerts/alerts.js';
import { lookupSchema } from '../alerts/lookups.js';
import { fieldResults } from '../alerts/read.js';
import { filterSchema, ITEM_OUTCOMES, ITEM_STATUSES, mappingErrorSchema } from '../events/schema.js';
import { mappingWarningsSchema } from './mapping-body.js';

const eventId = z.uuid().nullable().meta({ description: '`null` for a payload from the request' });
const warning = z.object({ code: z.string(), message: z.string(), value: z.string().optional() });
const count = z.number().int();
const state = z.enum(ALERT_STATES);
const text = z.string().nullable();
const status = z.enum(['firing', 'resolved']);

/** An alert as a preview shows it. */
export const previewedAlert = z.object({
  eventId,
  item: count.meta({ description: "Index among the event's alerts, from 0" }),
  state,
  fields: fieldResults,
  custom: fieldResults,
  lookups: z.record(z.string(), lookupSchema).optional().meta({
    description:
      'What was looked up, by the name of the lookup. Absent if the mapping has no lookups, and after the first 10 alerts',
  }),
  series: z
    .object({
      dedupKey: z.string(),
      status: z.enum(ITEM_STATUSES),
      occurrence: z
        .string()
        .nullable()
        .meta({ description: 'The start, number or version of what the event is about, as it is compared' }),
      final: z.boolean().meta({ description: 'Whether only a reopening word opens the key again' }),
      texts: z.enum(['newest', 'opening']).meta({
        description: 'Whether the alert shows the texts of the newest event or those it was opened with',
      }),
      expiry: z
        .union([z.object({ at: count }), z.object({ afterMs: count })])
        .nullable()
        .meta({
          description:
            'When the alert expires unless another event comes: milliseconds since 1970, or after the event',
        }),
    })
    .nullable()
    .meta({ description: 'Which alert the item belongs to. `null` without a `dedupKey`' }),
  repeatWindowSeconds: count.nullable().meta({
    description: 'Identical events within so many seconds are counted for its alert. `null`: they are not',
  }),
  faults: z.array(mappingErrorSchema),
});

const event = z.object({
  eventId,
  eventState: z.enum(['normalized', 'filtered', 'failed']),
  alertCount: count,
  faults: z.array(mappingErrorSchema),
  warnings: z.array(warning),
  filter: filterSchema
    .nullable()
    .meta({ description: 'What the filter dropped, and why. `null` if it dropped nothing' }),
});

const values = z.array(z.object({ path: z.string(), value: text }));
const filterStatistics = z
  .object({
    events: count.meta({ description: 'Events that are dropped as a whole' }),
    items: count.meta({ description: 'Dropped items of a split' }),
    clauses: z
      .array(z.object({ clause: z.string(), count, eventId: z.string(), values }))
      .meta({ description: 'The clauses that were false, most frequent first, each with the newest event' }),
    undecided: z
      .array(z.object({ code: z.string(), message: z.string(), count, eventId: z.string() }))
      .meta({ description: 'Why the filter could not be decided, so that events were kept' }),
  })
  .nullable()
  .meta({ description: 'What the filter of the mapping drops. `null` without a filter' });

const fields = z
  .object({
    nodes: z.array(
      z.object({
        path: z.string().meta({ description: 'The path to use in a tag' }),
        type: z.enum(['text', 'number', 'boolean', 'null', 'list', 'object']),
        sample: z.string(),
        pickable: z.boolean(),
        unsigned: z.boolean().optional().meta({
          description: "True for a part of the request that the integration's signature does not cover",
        }),
        masked: z.boolean().optional().meta({
          description:
            'True for a part of the request whose value was not stored. It is kept from the next event on, once the mapping reads it',
        }),
      }),
    ),
    truncated: z.boolean(),
  })
  .nullable()
  .meta({
    description:
      'The fields of the first payload and its request that templates can use. `null` if the payload is not JSON',
  });

const comparison = z
  .array(
    z.object({
      eventId,
      alerts: z.array(
        z.object({
          item: count,
          before: state.nullable(),
          after: state.nullable(),
          changes: z.array(z.object({ field: z.string(), before: text, after: text })),
        }),
      ),
    }),
  )
  .nullable()
  .meta({
    description: 'The current revision compared with the given mapping. `null` without a given mapping',
  });

const fieldStatistics = z.object({
  resolved: count,
  defaulted: count,
  missing: count,
  fillRate: z.number().meta({ description: 'Share of alerts that got a value from the payload' }),
  unmapped: z.array(z.object({ value: z.string(), count })),
  warnings: z
    .record(z.string(), count)
    .meta({ description: 'How many alerts have each warning of this field, by its code' }),
});

const statistics = z
  .object({
    events: count,
    failed: count,
    alerts: count,
    complete: count,
    fields: z.record(z.string(), fieldStatistics),
    vanished: z
      .array(z.object({ field: z.string(), path: z.string(), lastSeen: z.string(), missingSince: count }))
      .meta({ description: 'Paths that older events have and the newest do not' }),
    filter: filterStatistics,
  })
  .nullable();

const outcome = z.enum(ITEM_OUTCOMES);

const previewedSeries = z.object({
  dedupKey: text.meta({ description: '`null`: identical events without a key' }),
  title: text.meta({ description: 'Title of the newest item that has one' }),
  status: status.nullable().meta({
    description: 'Whether its last alert is still firing after these events. `null` without a `dedupKey`',
  }),
  alertCount: count,
  itemCount: count,
  items: z
    .array(
      z.object({
        eventId,
        item: count,
        receivedAt: z.iso.datetime().nullable(),
        status: z.enum(ITEM_STATUSES),
        outcome,
      }),
    )
    .meta({ description: 'The newest 20 items, oldest first' }),
});

const series = z
  .object({
    items: count.meta({ description: 'Items of these events, with and without a key' }),
    keyed: count.meta({ description: 'Items with a key' }),
    outcomes: z
      .object({
        opened: count,
        updated: count,
        resolved: count,
        nothing_to_resolve: count,
        nothing_to_update: count,
        outdated: count,
      })
      .meta({ description: 'What the items with a key do' }),
    repeated: count.meta({
      description: 'Items without a key that are counted for the alert of an identical one',
    }),
    alerts: count.meta({ description: 'Alerts that the items become, those without a key included' }),
    firing: count.meta({ description: 'Alerts with a key that none of these events resolves' }),
    seriesCount: count,
    series: z
      .array(previewedSeries)
      .meta({ description: 'The first 50 series, those with the most items first' }),
  })
  .nullable()
  .meta({
    description:
      'Which of these events become one alert, and which resolve it, as if there were no older events. `null` if the mapping merges no events',
  });

/** The result of a preview. */
export const mappingPreviewSchema = z
  .object({
    revision: count.nullable().meta({
      description:
        'Revision of the mapping that was used. 0: there is none. `null`: the mapping of the request',
    }),
    alerts: z.array(previewedAlert).meta({ description: 'The first 100 alerts' }),
    alertCount: count,
    events: z.array(event),
    fields,
    comparison,
    statistics,
    series,
    warnings: mappingWarningsSchema,
    truncated: z.boolean().meta({ description: 'Whether the preview is incomplete' }),
  })
  .meta({ id: 'MappingPreview' });
