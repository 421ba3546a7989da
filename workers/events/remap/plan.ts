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
  /** Alerts that are other ones because what the mapping looks up has changed. A plan of an older release has no such count. */
  changedByLookups: z.number().default(0),
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
  changedByLookups: 0,
};

/**
 * How a remap starts. It is stored with the job at its first start. What follows is in the ledger of its steps. An earlier release advanced the
 * plan instead, so a remap that it has started continues after the place and with the counts in its plan.
 */
export const remapPlan = z.object({
  version: z.literal(1),
  /** Number of events at the start. */
  total: z.number(),
  seen: z.number(),
  /** The last event that was processed. */
  after: z.object({ receivedAt: z.coerce.date(), id: z.string() }).nullable(),
  /** Whether the grouping has to be checked before the first step: null if not. */
  check: z.object({}).nullable().default(null),
  counts: remapCounts,
});
export type RemapPlan = z.infer<typeof remapPlan>;
