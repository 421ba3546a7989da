import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import type { MusterServer } from './client.js';

/** What a new mapping would make of stored events. */
export const effectSchema = z.object({
  /** Events that it was tried on: the newest ones. */
  events: z.number(),
  /** Their alerts that would be other ones, new or gone. */
  changed: z.number(),
  added: z.number(),
  removed: z.number(),
  /** Events of which no alert could be made. */
  failed: z.number(),
  fields: z.array(
    z.object({
      field: z.string(),
      count: z.number(),
      /** The most frequent values. */
      values: z.array(z.object({ before: z.string(), after: z.string(), count: z.number() })),
      /** The id of an event. */
      example: z.string(),
    }),
  ),
  /** Why it is not known; null if it is. */
  unknown: z.string().nullable(),
});
export type Effect = z.infer<typeof effectSchema>;

const MAX_MS = 60_000;
const POLL_MS = 250;
const SHOWN_VALUES = 3;
/** Longer values are no words of a list. */
const MAX_WORD = 40;

const NONE: Effect = { events: 0, changed: 0, added: 0, removed: 0, failed: 0, fields: [], unknown: null };

/** Tries a mapping on the newest events of an integration. What cannot be tried does not stop a plan. */
export async function effectOf(
  server: MusterServer,
  {
    id,
    content,
    events,
  }: { id: string; content: { mapping?: unknown; template: string | null }; events: number },
): Promise<Effect | null> {
  const mapping =
    content.mapping ??
    (content.template &&
      (await server.get(`/v2/webhook-templates/${encodeURIComponent(content.template)}`)).mapping);
  if (!mapping) return null;
  const sent = { json: { dryRun: true, mapping, newest: events }, expected: [403, 429] };
  const { status, body } = await server.send('POST', `/v2/webhooks/${id}/remap`, sent);
  if (status >= 400) return { ...NONE, unknown: body?.message ?? `the server returned ${status}` };
  const until = Date.now() + MAX_MS;
  for (let job = body.data; ; ) {
    if (job.state === 'completed') {
      const file = await server.download(job.links.file);
      return { ...summarize(file ?? ''), ...countsOf(job.counts), unknown: null };
    }
    if (job.finishedAt !== null)
      return { ...NONE, unknown: job.error?.message ?? `the dry run is ${job.state}` };
    if (Date.now() > until) {
      await server.send('POST', `/v2/jobs/${job.id}/cancel`, { expected: [403, 404, 409] });
      return { ...NONE, unknown: `the dry run took more than ${MAX_MS / 1_000} s. Use fewer --events` };
    }
    await server.pause(POLL_MS);
    job = await server.get(job.links.self);
  }
}

const countsOf = ({ events, changed, added, removed, failed }: Effect) => ({
  events,
  changed,
  added,
  removed,
  failed,
});

/** Returns which fields differ how often in the file of a dry run. */
function summarize(csv: string): Pick<Effect, 'fields'> {
  const rows: Record<string, string>[] = parse(csv, { columns: true });
  const fields = new Map<string, { count: number; values: Map<string, number>; example: string }>();
  for (const { change, field = '', before = '', after = '', eventId = '' } of rows) {
    if (change !== 'changed') continue;
    const found = fields.get(field) ?? { count: 0, values: new Map(), example: eventId };
    fields.set(field, found);
    found.count += 1;
    const pair = JSON.stringify([before, after]);
    if (before.length <= MAX_WORD && after.length <= MAX_WORD)
      found.values.set(pair, (found.values.get(pair) ?? 0) + 1);
  }
  return {
    fields: [...fields]
      .map(([field, { count, values, example }]) => ({ field, count, values: mostFrequent(values), example }))
      .sort((one, other) => other.count - one.count),
  };
}

const mostFrequent = (values: ReadonlyMap<string, number>) =>
  [...values]
    .sort(([, one], [, other]) => other - one)
    .slice(0, SHOWN_VALUES)
    .map(([pair, count]) => {
      const [before, after] = JSON.parse(pair) as [string, string];
      return { before, after, count };
    });
