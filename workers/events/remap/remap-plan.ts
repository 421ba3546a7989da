import { z } from 'zod';

/** What a remap did, in numbers. `alerts` is the sum of added, changed and unchanged. */
const remapCounts = z.object({
  /** Mapped again. */
  events: z.number(),
  /** Of these, the ones of which nothing could be made; alerts that they had stay as they were. */
  failed: z.number(),
  alerts: z.number(),
  added: z.number(),
  changed: z.number(),
  unchanged: z.number(),
  /** Of the changed ones, those that were incomplete. */
  completed: z.number(),
  /** Of which the mapping makes no more. */
  removed: z.number(),
});
export type RemapCounts = z.infer<typeof remapCounts>;

export const NO_REMAP_COUNTS: RemapCounts = {
  events: 0,
  failed: 0,
  alerts: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  completed: 0,
  removed: 0,
};

/**
 * How far a remap is. It is kept with the job and moves on in the transactions that write, so that a restart carries on
 * behind the last of them, and what is counted is counted once.
 */
export const remapPlan = z.object({
  version: z.literal(1),
  /** Events that there were at the start. */
  total: z.number(),
  seen: z.number(),
  /** The last event that is done. */
  after: z.object({ receivedAt: z.iso.datetime(), id: z.string() }).nullable(),
  counts: remapCounts,
});
export type RemapPlan = z.infer<typeof remapPlan>;

export function addCounts(sum: RemapCounts, more: Partial<RemapCounts>): RemapCounts {
  const names = Object.keys(NO_REMAP_COUNTS) as (keyof RemapCounts)[];
  return Object.fromEntries(names.map((name) => [name, sum[name] + (more[name] ?? 0)])) as RemapCounts;
}
