import { z } from 'zod';
import type { Database } from '../../../db/client/connect.js';
import { Deadline } from '../../../db/client/deadline.js';
import { eventIdOf, itemNumberOf } from '../../../db/events/alerts/alert-id.js';
import { type Alert, RESOLVED_BY } from '../../../db/events/alerts/alerts.js';
import { itemsAt } from '../../../db/series/alert-items.js';
import { personsOf } from '../../../db/series/ends.js';
import type { SeriesPosition } from '../../../db/series/series.js';
import { ALERT_FIELDS, RowItem, type SeriesItem } from '../../../workers/mapping/index.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS } from '../../endpoint/route.js';
import { PAGE_HEADERS, pageQuery, pageSchema, sendPage } from '../../lists/list-page.js';
import { readWithDeadline } from '../../lists/read-with-deadline.js';
import { ITEM_STATUSES } from '../events/schema.js';
import { excerpt } from './excerpt.js';
import { requireAlert } from './find-alert.js';
import { isKeyed, itemsInOrder, type KeyedAlert } from './items.js';
import { shownChange } from './owners.js';
import { decodePlaces, encodePlaces, PLACES } from './place-text.js';
import { ShownValues } from './shown-values.js';

const entrySchema = z
  .object({
    id: z.uuid().meta({ description: 'Id of the item' }),
    eventId: z.uuid().nullable().meta({ description: '`null` unless its `origin` is an event' }),
    item: z.number().int().nullable().meta({ description: 'Number of the item in its event, from 0' }),
    origin: z.enum(RESOLVED_BY).meta({
      description: 'An event of the source, a person who resolved the alert, or its expiry',
    }),
    by: z.object({ id: z.uuid(), name: z.string() }).nullable().meta({
      description: 'The API key with which a person resolved the alert',
    }),
    jobId: z
      .uuid()
      .nullable()
      .meta({ description: 'The job that resolved it for that person. Revert it to take that back' }),
    resolution: z.string().nullable().meta({ description: 'What was said about the end' }),
    receivedAt: z.iso.datetime(),
    status: z.enum(ITEM_STATUSES).nullable().meta({ description: '`null` without a `dedupKey`' }),
    outcome: z
      .enum(['opened', 'updated', 'resolved'])
      .nullable()
      .meta({ description: 'What it did to the alert. `null` if the alert stands alone' }),
    revision: z.number().int().meta({ description: 'Revision of the mapping that was used' }),
    eventCount: z
      .number()
      .int()
      .meta({ description: 'Above 1 if it stands for events that have expired, 0 without an event' }),
    changed: z
      .array(
        z.object({
          field: z.string().meta({ description: '`severity`, `custom.zone`' }),
          before: z.string().nullable().meta({ description: '`null` if the alert showed none' }),
          after: z.string().nullable(),
        }),
      )
      .meta({
        description:
          'The fields that the alert shows with another value since this event. Of long texts, about 250 characters around the first difference; `…` marks a cut',
      }),
  })
  .meta({ id: 'AlertEvent' });

export type TimelineEntry = z.infer<typeof entrySchema>;

export const listAlertEvents = defineRoute({
  method: 'get',
  path: '/v2/alerts/{id}/events',
  operationId: 'listAlertEvents',
  tag: 'Alert',
  summary: 'List the events of an alert in the order in which they were accepted, and what each changed',
  description:
    'The entries and their values stay when the events themselves have expired. Of an alert that is older than the retention of alerts, only the entries ' +
    'stay that it still needs: its first and last one, and those that its values come from. The first one counts the others.',
  scopes: ['alerts:read'],
  query: z.strictObject(pageQuery),
  params: ID_PARAMS,
  headers: ['Prefer'],
  responses: {
    200: {
      description: 'A page of events',
      headers: PAGE_HEADERS,
      body: z.object({ ...success, data: z.array(entrySchema), page: pageSchema }),
    },
    ...failures(400, 404, 429),
  },
  handle: async ({ ctx, query, params, principal, services }) => {
    const alert = await requireAlert(services.database, params.id);
    await sendPage<PlacedEntry, Place>(ctx, {
      page: query,
      filters: { alert: alert.id },
      position,
      positionOf: ({ entry, providers }) => [entry.receivedAt, entry.id, encodePlaces(providers)],
      read: ({ limit, after }) =>
        readWithDeadline({
          services,
          apiKeyId: principal.id,
          narrow: 'Request smaller pages with `pageSize`.',
          read: (database, withinMs) =>
            isKeyed(alert)
              ? readEntries(database, alert, { limit, after, deadline: new Deadline(withinMs) })
              : only(alert, after),
        }),
      present: ({ entry }) => ({
        ...entry,
        changed: entry.changed.map((change) => shownChange(principal, change)),
      }),
    });
  },
});

/** A place in the timeline: the position of an item, and of the items that provide what the alert shows after it. */
interface Place extends SeriesPosition {
  providers: SeriesPosition[];
}

interface PlacedEntry {
  entry: TimelineEntry;
  providers: readonly SeriesPosition[];
}

const position = z
  .tuple([z.iso.datetime(), z.uuid(), z.string().regex(PLACES)])
  .transform(
    ([at, id, places]): Place => ({ receivedAt: Date.parse(at), id, providers: decodePlaces(places) }),
  );

async function readEntries(
  database: Database,
  alert: KeyedAlert,
  { limit, after, deadline }: { limit: number; after: Place | undefined; deadline: Deadline },
): Promise<PlacedEntry[]> {
  const shown = new ShownValues();
  for (const row of (await itemsAt(database, after?.providers ?? [], deadline)).reverse())
    shown.add(new RowItem(row));
  const entries: PlacedEntry[] = [];
  const ends: SeriesItem[] = [];
  for await (const item of itemsInOrder({ database, deadline }, alert, after ?? null)) {
    const changed = shown.add(item).map(excerpt);
    entries.push({ entry: { ...toEntry(item, alert), changed }, providers: shown.places });
    if (item.origin === 'person') ends.push(item);
    if (entries.length === limit) break;
  }
  const persons = await personsOf(database, ends);
  for (const { entry } of entries) {
    const person = persons.get(entry.id);
    if (!person) continue;
    entry.by = { id: person.keyId, name: person.keyName };
    entry.jobId = person.jobId;
  }
  return entries;
}

const toEntry = (
  { id, receivedAt, status, origin, resolution, revision, eventCount }: SeriesItem,
  alert: Alert,
): Omit<TimelineEntry, 'changed'> => ({
  id,
  eventId: origin === 'event' ? eventIdOf(id) : null,
  item: origin === 'event' ? itemNumberOf(id) : null,
  origin,
  by: null,
  jobId: null,
  resolution,
  receivedAt: new Date(receivedAt).toISOString(),
  status: alert.dedupKey === null ? null : status,
  outcome: status === 'resolved' ? status : id === alert.id ? ('opened' as const) : ('updated' as const),
  revision,
  eventCount,
});

const NO_END = { origin: 'event', by: null, jobId: null, resolution: null } as const;

/** Returns the only event of an alert without a key. */
async function only(alert: Alert, after: Place | undefined): Promise<PlacedEntry[]> {
  if (after) return [];
  const { id, eventId, revision, custom } = alert;
  const values = [
    ...ALERT_FIELDS.map((name) => [name, alert[name]] as const),
    ...Object.entries(custom).map(([name, text]) => [`custom.${name}`, text] as const),
  ];
  const changed = values
    .filter(([, after]) => after !== null)
    .map(([field, after]) => excerpt({ field, before: null, after }));
  const receivedAt = alert.receivedAt.toISOString();
  const own = { status: null, outcome: null, eventCount: 1, item: itemNumberOf(id), ...NO_END };
  return [{ entry: { ...own, id, eventId, receivedAt, revision, changed }, providers: [] }];
}
