import { z } from 'zod';

/**
 * The counts of a remap. They count what each event becomes by itself: its stand-alone alerts, and its items, before items with the same key
 * are put together. So a dry run counts the same, without folding. `alerts` is the sum of added, changed and unchanged.
 */
const remapCounts = z.object({
  /** Events that were mapped again. */
  events: z.number(),
  /** Of these events, those that could not be mapped. Their stored alerts stay as they were. */
  failed: z.number(),
  /** Of these events, those that the filter dropped. A plan of an older release has no such count. */
  filtered: z.number().default(0),
  alerts: z.number(),
  added: z.number(),
  changed: z.number(),
  unchanged: z.number(),
  /** Changed alerts that were incomplete before. */
  completed: z.number(),
  /** Alerts that the mapping no longer makes. */
  removed: z.number(),
  /** Items whose key or status changes, or that are added or removed. A plan of an older release has no such count. */
  regrouped: z.number().default(0),
});
export type RemapCounts = z.infer<typeof remapCounts>;

export const NO_REMAP_COUNTS: RemapCounts = {
  events: 0,
  failed: 0,
  filtered: 0,
  alerts: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  completed: 0,
  removed: 0,
  regrouped: 0,
};

const place = z.object({ receivedAt: z.iso.datetime(), id: z.string() }).nullable();

/** The progress of the pass that checks whether a remap of a part would change the grouping. */
const groupingCheck = z.object({
  seen: z.number(),
  after: place,
  /** Events whose items would get another key or status. */
  events: z.number(),
  /** Id of the first of them. */
  first: z.string().nullable(),
});
export type GroupingCheck = z.infer<typeof groupingCheck>;

/**
 * The progress of a remap. It is stored with the job and updated in the same transactions that write alerts, so a restart
 * resumes after the last transaction and counts nothing twice.
 */
export const remapPlan = z.object({
  version: z.literal(1),
  /** Number of events at the start. */
  total: z.number(),
  seen: z.number(),
  /** The last event that was processed. */
  after: place,
  /** Null if there is nothing to check, or the check has passed. */
  check: groupingCheck.nullable().default(null),
  counts: remapCounts,
});
export type RemapPlan = z.infer<typeof remapPlan>;

export function addCounts(sum: RemapCounts, more: Partial<RemapCounts>): RemapCounts {
  const names = Object.keys(NO_REMAP_COUNTS) as (keyof RemapCounts)[];
  return Object.fromEntries(names.map((name) => [name, sum[name] + (more[name] ?? 0)])) as RemapCounts;
}
