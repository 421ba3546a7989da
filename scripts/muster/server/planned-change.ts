import { z } from 'zod';
import { documentChangeSchema } from '../../../api/routes/by-name/document-changes.js';
import { effectSchema } from './effect.js';

/** The kinds of things that a plan changes. */
export const PLANNED_KINDS = ['account system', 'table', 'template', 'integration', 'destination'] as const;

/** A change of a plan. */
export const plannedChange = z.object({
  kind: z.enum(PLANNED_KINDS),
  action: z.enum(['create', 'change', 'delete']),
  name: z.string(),
  /** Relative to the folder; null: it is not in it. */
  file: z.string().nullable(),
  /** What it was when the plan was made: its ETag, and "0" if it did not exist. */
  base: z.string(),
  /** What it becomes, with references in place of secrets; null if it is deleted. */
  document: z.record(z.string(), z.unknown()).nullable(),
  changes: z.array(documentChangeSchema),
  warnings: z.array(z.object({ field: z.string(), code: z.string(), message: z.string() })),
  /** Whether its new filter drops all of the newest events. */
  dropsAll: z.boolean(),
  effect: effectSchema.nullable(),
});
export type PlannedChange = z.infer<typeof plannedChange>;

/** What a deletion has of all that. */
export const NOTHING = {
  file: null,
  document: null,
  changes: [],
  warnings: [],
  dropsAll: false,
  effect: null,
} satisfies Partial<PlannedChange>;

/** What became of a change. */
export interface Applied {
  change: PlannedChange;
  outcome: 'applied' | 'already' | 'refused';
  /** Of a refused one. */
  reason?: string;
}

export const refused = (change: PlannedChange, reason: string): Applied => ({
  change,
  outcome: 'refused',
  reason,
});

/** Returns the ETag of a response without its quotes. */
export const tagOf = ({ etag = '' }: { etag?: string | undefined }): string =>
  etag.replace(/^(?:W\/)?"|"$/g, '');
