import { z } from 'zod';
import { ALERT_STATES } from '../../../db/events/alerts.js';
import { fieldResults } from '../alerts/read.js';
import { faultSchema } from '../events/events.js';

const eventId = z.uuid().nullable().meta({ description: 'null of a payload that came with the request' });
const warning = z.object({ code: z.string(), message: z.string(), value: z.string().optional() });
const count = z.number().int();
const state = z.enum(ALERT_STATES);
const text = z.string().nullable();

const alert = z.object({
  eventId,
  item: count.meta({ description: "Its place among the event's alerts, from 0" }),
  state,
  fields: fieldResults,
  custom: fieldResults,
  faults: z.array(faultSchema),
});

const event = z.object({
  eventId,
  eventState: z.enum(['normalized', 'failed']),
  alertCount: count,
  faults: z.array(faultSchema),
  warnings: z.array(warning),
});

const fields = z
  .object({
    nodes: z.array(
      z.object({
        path: z.string().meta({ description: 'What a tag says to get it' }),
        type: z.enum(['text', 'number', 'boolean', 'null', 'list', 'object']),
        sample: z.string(),
        pickable: z.boolean(),
      }),
    ),
    truncated: z.boolean(),
  })
  .nullable()
  .meta({ description: 'What templates can say of the first payload; null when it is no JSON' });

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
  .meta({ description: 'The current revision and the given mapping, side by side; null without one' });

const fieldStatistics = z.object({
  resolved: count,
  defaulted: count,
  missing: count,
  fillRate: z.number().meta({ description: 'Share of alerts for which the payload gave a value' }),
  unmapped: z.array(z.object({ value: z.string(), count })),
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
      .meta({ description: 'Paths that older events had and the newest have not' }),
  })
  .nullable();

/** What a preview tells. */
export const previewSchema = z
  .object({
    revision: count
      .nullable()
      .meta({ description: 'Whose mapping it was; 0: none; null: that of the request' }),
    alerts: z.array(alert).meta({ description: 'The first 100' }),
    alertCount: count,
    events: z.array(event),
    fields,
    comparison,
    statistics,
    truncated: z.boolean().meta({ description: 'Whether there is more than is shown' }),
  })
  .meta({ id: 'MappingPreview' });
