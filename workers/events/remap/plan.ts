import { z } from 'zod';

/** The counts of a remap. `alerts` is the sum of added, changed and unchanged. */
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
};

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
  after: z.object({ receivedAt: z.iso.datetime(), id: z.string() }).nullable(),
  counts: remapCounts,
});
export type RemapPlan = z.infer<typeof remapPlan>;

export function addCounts(sum: RemapCounts, more: Partial<RemapCounts>): RemapCounts {
  const names = Object.keys(NO_REMAP_COUNTS) as (keyof RemapCounts)[];
  return Object.fromEntries(names.map((name) => [name, sum[name] + (more[name] ?? 0)])) as RemapCounts;
}
