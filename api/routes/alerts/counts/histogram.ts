import { z } from 'zod';
import type { Database } from '../../../../db/client/connect.js';
import { Deadline } from '../../../../db/client/deadline.js';
import type { AlertFilters } from '../../../../db/events/alerts/alert-list.js';
import { countHistogram } from '../../../../db/events/counts/alert-histogram.js';
import { AlertCounts } from '../../../../db/events/counts/counted-alerts.js';
import { failures } from '../../../endpoint/error-responses.js';
import { wholeNumberText } from '../../../endpoint/parameters.js';
import { success } from '../../../endpoint/responses.js';
import { defineRoute, NO_PARAMS } from '../../../endpoint/route.js';
import { QUERY, summary } from '../../../http/error-details.js';
import { badRequest } from '../../../http/errors.js';
import { readWithDeadline } from '../../../lists/read-with-deadline.js';
import { receivedQuery } from '../../../lists/time-query.js';
import { alertFilterQuery, countedFromSchema, NARROW_COUNT } from '../filters.js';
import { checkOwnerFilter } from '../owners.js';

/** Severities that have counts of their own; senders choose severities, so there could be as many as alerts. */
const MAX_SEVERITIES = 10;
/** The time range without alerts and without `from`, in milliseconds. */
const EMPTY_RANGE_MS = 3_600_000;
const count = z.number().int();

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A chosen size gives at most this many buckets, unless even the largest size gives more. */
const PREFERRED_BUCKETS = 100;
export const MAX_BUCKETS = 200;
/** Ten years: ranges of any retention fit into the most buckets. */
const MAX_BUCKET_SECONDS = 3_650 * DAY;

export const histogramSchema = z
  .object({
    from: z.iso.datetime().meta({ description: 'Start of the first bucket' }),
    to: z.iso.datetime().meta({ description: 'End of the last bucket' }),
    bucketSeconds: count,
    alerts: count.meta({ description: 'All alerts that were counted' }),
    countedFrom: countedFromSchema,
    severities: z.array(z.object({ severity: z.string().nullable(), alerts: count })).meta({
      description: `At most ${MAX_SEVERITIES}, in lower case, the most frequent first. \`null\`: alerts without one`,
    }),
    buckets: z.array(
      z.object({
        from: z.iso.datetime(),
        alerts: count.meta({ description: 'Including those of severities that are not listed' }),
        counts: z.array(count).meta({ description: 'For each of `severities`, in their order' }),
      }),
    ),
  })
  .meta({ id: 'AlertHistogram' });
type Histogram = z.infer<typeof histogramSchema>;

export const getAlertHistogram = defineRoute({
  method: 'get',
  path: '/v2/alerts/histogram',
  operationId: 'getAlertHistogram',
  tag: 'Alert',
  summary: 'Count alerts by time and severity',
  description:
    'Takes the filters of the list of alerts. Without `from`, the first bucket has the oldest alert; without `to`, the last one has the current time. ' +
    'Buckets start at multiples of their size since 1970, in UTC.',
  scopes: ['alerts:read'],
  query: z.strictObject({
    ...alertFilterQuery,
    ...receivedQuery,
    bucketSeconds: wholeNumberText(1, MAX_BUCKET_SECONDS)
      .optional()
      .meta({
        description: `Size of a bucket. By default, a round one that gives 30 to 100 buckets if the range is long enough. At most ${MAX_BUCKETS} buckets`,
      }),
  }),
  params: NO_PARAMS,
  headers: ['Prefer'],
  responses: {
    200: { description: 'The counts', body: z.object({ ...success, data: histogramSchema }) },
    ...failures(400, 429),
  },
  handle: async ({ ctx, query: { bucketSeconds, ...filters }, principal, services }) => {
    checkOwnerFilter(principal, filters);
    const { from, to } = filters;
    if (from && to && from >= to) throw invalid('from', 'invalid_range', 'must be before `to`');
    const data = await readWithDeadline({
      services,
      apiKeyId: principal.id,
      narrow: NARROW_COUNT,
      read: (database, withinMs) =>
        readHistogram(database, { filters, bucketSeconds, deadline: new Deadline(withinMs) }),
    });
    ctx.body = { status: 'success', data };
  },
});

interface Request {
  filters: AlertFilters;
  bucketSeconds: number | undefined;
  deadline: Deadline;
}

async function readHistogram(
  database: Database,
  { filters, bucketSeconds, deadline }: Request,
): Promise<Histogram> {
  const counts = new AlertCounts(database, deadline);
  const to = filters.to ?? new Date();
  const ended = { ...filters, to };
  const { countedFrom } = await counts.part(ended);
  const start = countedFrom ?? filters.from ?? (await counts.oldest(ended));
  const range = { from: start ?? new Date(to.getTime() - EMPTY_RANGE_MS), to };
  const buckets = toBuckets(range, bucketSeconds);
  if (typeof buckets === 'string') throw invalid('bucketSeconds', 'too_many_buckets', buckets);
  const found = await countHistogram(counts, ended, buckets);
  return { ...present(found, buckets), countedFrom: countedFrom?.toISOString() ?? null };
}

function present(
  found: Awaited<ReturnType<typeof countHistogram>>,
  buckets: Buckets,
): Omit<Histogram, 'countedFrom'> {
  const bySeverity = new Map<string | null, number>();
  for (const { severity, alerts } of found)
    bySeverity.set(severity, (bySeverity.get(severity) ?? 0) + alerts);
  const severities = [...bySeverity]
    .map(([severity, alerts]) => ({ severity, alerts }))
    .sort((one, other) => other.alerts - one.alerts)
    .slice(0, MAX_SEVERITIES);
  const rows = bucketStarts(buckets).map((from) => ({
    from: from.toISOString(),
    alerts: 0,
    counts: severities.map(() => 0),
  }));
  for (const { bucket, severity, alerts, bucketAlerts } of found) {
    const row = rows[bucket];
    if (!row) continue;
    row.alerts = bucketAlerts;
    const place = severities.findIndex((one) => one.severity === severity);
    if (place !== -1) row.counts[place] = alerts;
  }
  return {
    from: buckets.start.toISOString(),
    to: new Date(buckets.start.getTime() + buckets.count * buckets.bucketSeconds * 1_000).toISOString(),
    bucketSeconds: buckets.bucketSeconds,
    alerts: rows.reduce((sum, row) => sum + row.alerts, 0),
    severities,
    buckets: rows,
  };
}

function invalid(field: string, code: string, message: string) {
  const errors = [{ field, code, message }];
  return badRequest('invalid_query', summary(QUERY, errors), errors);
}

/** The sizes that are chosen from, in seconds. */
const SIZES = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 28].map((days) => days * DAY),
];
/** No alert is older or newer. Within this time, buckets start and end in years of four digits. */
const [EARLIEST, LATEST] = [0, Date.UTC(9_900, 0)];

/** Parts of a time range, all of the same size. */
interface Buckets {
  /** Start of the first one: a multiple of the size since 1970. */
  start: Date;
  bucketSeconds: number;
  count: number;
}

/**
 * Splits a time range into at most 200 buckets.
 * @param bucketSeconds the size; by default the smallest round one that gives at most 100 buckets
 * @returns what is wrong with the size if it gives more
 */
export function toBuckets(range: { from: Date; to: Date }, bucketSeconds?: number): Buckets | string {
  const limited = (time: Date) => Math.min(Math.max(time.getTime(), EARLIEST), LATEST);
  const [from, to] = [limited(range.from), limited(range.to)];
  const split = (size: number): Buckets => {
    const first = Math.floor(from / 1_000 / size);
    const end = Math.ceil(to / 1_000 / size);
    return { start: new Date(first * size * 1_000), bucketSeconds: size, count: Math.max(1, end - first) };
  };
  if (bucketSeconds === undefined) {
    const chosen = SIZES.map(split).find(({ count }) => count <= PREFERRED_BUCKETS);
    const days = Math.ceil((to - from) / 1_000 / DAY / PREFERRED_BUCKETS);
    return chosen ?? split((days + 1) * DAY);
  }
  const buckets = split(bucketSeconds);
  if (buckets.count <= MAX_BUCKETS) return buckets;
  const seconds = (to - from) / 1_000;
  return `gives ${buckets.count} buckets for this time range: must be at least ${Math.ceil(seconds / (MAX_BUCKETS - 1))}`;
}

/** Returns when each bucket starts. */
export const bucketStarts = ({ start, bucketSeconds, count }: Buckets): Date[] =>
  Array.from({ length: count }, (_, number) => new Date(start.getTime() + number * bucketSeconds * 1_000));
