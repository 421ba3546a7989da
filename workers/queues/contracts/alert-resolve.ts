import { z } from 'zod';
import { alertFilters } from './alert-export.js';
import { defineContract, FIVE_ATTEMPTS, jobPayload } from './contract.js';

/** Alerts that a person resolves, or a job like it that is taken back. */
export const alertResolveParams = z.object({
  /** Version 2 has a filter that earlier releases do not know and would ignore: `ownerEmail`. */
  version: z.union([z.literal(1), z.literal(2)]),
  /** When it was requested: the place in their series at which the alerts end. */
  at: z.coerce.date(),
  /** Which alerts: some by id, all firing ones that match filters, or those that another job resolved. */
  alerts: z.union([
    z.object({ ids: z.array(z.uuid()) }),
    z.object({ filters: alertFilters, limit: z.number() }),
    z.object({ revertOf: z.uuid(), resolvedAt: z.coerce.date() }),
  ]),
  reason: z.string().nullable(),
  /** The API key of the person. */
  by: z.object({ id: z.string(), name: z.string() }),
  dryRun: z.boolean(),
});
export type AlertResolveParams = z.infer<typeof alertResolveParams>;

/** Returns the lowest version that can have these alerts. */
export const resolveVersionOf = (alerts: AlertResolveParams['alerts']): AlertResolveParams['version'] =>
  'filters' in alerts && alerts.filters.ownerEmail !== undefined ? 2 : 1;

export const alertResolve = defineContract({
  name: 'alert-resolve',
  queues: ['alert-resolve'],
  payload: jobPayload,
  params: alertResolveParams,
  options: FIVE_ATTEMPTS,
  concurrency: 4,
});
