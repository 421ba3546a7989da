import type { Job } from '../../../db/jobs/jobs.js';
import { findChangedTables } from '../../../db/lookups/lookup-tables.js';
import { type AlertRemapParams, alertRemap } from '../../../workers/queues/contracts/alert-remap.js';
import { paramsOf } from '../../../workers/queues/contracts/contract.js';
import { conflict, type RequestError } from '../../http/errors.js';
import { compiledRevision } from '../../preview/compiled-revision.js';
import type { ApiServices } from '../../services.js';
import { requireWebhook } from '../webhooks/mapping-revisions.js';

/**
 * Returns the remap that writes what a dry run has counted: the same events by the same revision. What they become follows from the mapping and the rows that
 * it looks up, so it is the same as long as none of these has changed. Owners of accounts are looked up as they are by then.
 * @throws RequestError 409 `plan_outdated`, or `plan_of_draft` if the dry run was one of a mapping that is not saved or of the newest events
 */
export async function remapOfPlan(services: ApiServices, plan: Job): Promise<AlertRemapParams> {
  const params = paramsOf(plan, alertRemap);
  if (params.version === 3)
    throw conflict(
      'plan_of_draft',
      'The dry run was one of a mapping that is not saved, or of the newest events only. Save the mapping, start a dry run without `mapping` and `newest`, and apply that.',
      plan.id,
    );
  const { webhookId, revision } = params;
  const { mappingRevision } = await requireWebhook(services, webhookId);
  if (mappingRevision !== revision)
    throw outdated(
      plan,
      `it was one of revision ${revision} of the mapping, and ${mappingRevision} is the current one`,
    );
  const mapping = await compiledRevision(services.database, webhookId, revision);
  const names = mapping?.lookups.flatMap(({ place }) => ('table' in place ? [place.table] : [])) ?? [];
  const [changed] = await findChangedTables(services.database, names, plan.createdAt);
  if (changed !== undefined) throw outdated(plan, `the lookup table ${changed} has changed since`);
  return { ...params, version: 1, dryRun: false, planId: plan.id };
}

const outdated = ({ id }: Job, why: string): RequestError =>
  conflict(
    'plan_outdated',
    `The plan is outdated: ${why}. Nothing was written. Start the dry run again.`,
    id,
  );
