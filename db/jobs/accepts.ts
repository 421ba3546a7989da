import type { Database } from '../client/connect.js';

/**
 * Returns the id of an upload that accepts candidates of a worklist, and has not ended or was recorded since that time, by the clock of the
 * database; null if there is none. Dry runs and uploads that failed or were canceled do not count.
 */
export async function findAccept(
  database: Database,
  worklistId: string,
  since: Date,
): Promise<string | null> {
  const accepts = () =>
    database('jobs')
      .where({ type: 'identity-import' })
      .whereRaw("JSON_UNQUOTE(JSON_EXTRACT(params, '$.acceptOf')) = ?", [worklistId])
      .whereRaw("JSON_EXTRACT(params, '$.dryRun') = FALSE")
      .select('id');
  // Two queries, each with an index of its own.
  const open = accepts().whereIn('state', ['queued', 'running']);
  const recent = accepts().where('created_at', '>=', since).whereNotIn('state', ['failed', 'canceled']);
  const [row] = await open.unionAll(recent).limit(1);
  return row?.id ?? null;
}
