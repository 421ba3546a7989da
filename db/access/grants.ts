import type { Database } from '../client/connect.js';

/** The privileges of each process on each table. The API reads everything and writes only its own small tables. */
export const RIGHTS = {
  api: {
    api_keys: 'INSERT, UPDATE',
    // Entries are never changed. What the last one is of each shard, is.
    audit_entries: 'INSERT',
    audit_heads: 'UPDATE',
    roles: 'INSERT, UPDATE, DELETE',
    role_grants: 'INSERT, DELETE',
    upload_links: 'INSERT, UPDATE',
    jobs: 'INSERT, UPDATE',
    applied_plans: 'INSERT',
    idempotency_records: 'INSERT, UPDATE, DELETE',
    webhooks: 'INSERT, UPDATE',
    webhook_tokens: 'INSERT, UPDATE, DELETE',
    webhook_senders: 'INSERT, UPDATE',
    webhook_changes: 'UPDATE',
    mapping_revisions: 'INSERT',
    saved_templates: 'INSERT, UPDATE, DELETE',
    secret_canary: 'INSERT, UPDATE',
    sns_confirmations: 'INSERT',
    listening_periods: 'INSERT, UPDATE',
    heartbeats: 'INSERT, UPDATE, DELETE',
    // To have a heartbeat checked whose settings changed.
    heartbeat_states: 'UPDATE',
    destinations: 'INSERT, UPDATE',
    // A new destination has a lane, and one that is resumed goes on.
    lanes: 'INSERT, UPDATE',
    // A job that is canceled before it starts.
    outbox: 'INSERT',
    // Another revision of a table is made the active one, or none.
    lookup_tables: 'UPDATE',
    lookup_revisions: 'UPDATE',
    account_systems: 'INSERT, UPDATE, DELETE',
    feeds: 'INSERT, UPDATE',
    feed_runs: 'INSERT',
    worklist_decisions: 'INSERT, UPDATE, DELETE',
  },
  worker: {
    jobs: 'INSERT, UPDATE, DELETE',
    identities: 'INSERT, UPDATE, DELETE',
    job_steps: 'INSERT, UPDATE, DELETE',
    // The ledger of earlier releases.
    import_chunks: 'INSERT, UPDATE, DELETE',
    // UPDATE: parts that workers of the previous release store without a position.
    import_changes: 'INSERT, UPDATE, DELETE',
    identity_feed: 'UPDATE',
    applied_plans: 'INSERT, DELETE',
    feeds: 'UPDATE, DELETE',
    feed_runs: 'INSERT, UPDATE, DELETE',
    identity_history: 'INSERT, DELETE',
    identity_uploads: 'INSERT, DELETE',
    identity_mirrors: 'INSERT, UPDATE',
    account_system_days: 'INSERT, DELETE',
    replica_heartbeat: 'INSERT, UPDATE',
    idempotency_records: 'DELETE',
    webhook_senders: 'DELETE',
    // ALTER, CREATE and DROP: upkeep adds the partitions of the next days, and drops those that have expired.
    events: 'INSERT, UPDATE, DELETE, ALTER, CREATE, DROP',
    alerts: 'INSERT, UPDATE, DELETE, ALTER, CREATE, DROP',
    deliveries: 'INSERT, DELETE',
    series: 'INSERT, UPDATE, DELETE',
    series_items: 'INSERT, UPDATE, DELETE',
    series_alerts: 'INSERT, UPDATE, DELETE',
    sns_confirmations: 'DELETE',
    upkeep_horizons: 'INSERT, UPDATE',
    listening_periods: 'DELETE',
    heartbeat_states: 'INSERT, UPDATE, DELETE',
    silences: 'INSERT, DELETE',
    drift_states: 'INSERT, UPDATE, DELETE',
    outbox: 'INSERT, DELETE',
    transitions: 'INSERT, DELETE',
    messages: 'INSERT, UPDATE, DELETE',
    message_attempts: 'INSERT, UPDATE, DELETE',
    beliefs: 'INSERT, UPDATE, DELETE',
    lanes: 'UPDATE',
    series_expiries: 'INSERT, UPDATE, DELETE',
    lookup_tables: 'INSERT, UPDATE',
    lookup_revisions: 'INSERT, UPDATE, DELETE',
    lookup_rows: 'INSERT, DELETE',
    lookup_misses: 'INSERT, UPDATE, DELETE',
    audit_entries: 'INSERT, DELETE',
    audit_heads: 'UPDATE',
    audit_checkpoints: 'UPDATE',
  },
} as const satisfies Record<string, Record<string, string>>;

/** The names of all tables that a process writes. */
export const WRITTEN_TABLES: readonly string[] = [
  ...new Set(Object.values(RIGHTS).flatMap((rights) => Object.keys(rights))),
];

export type DatabaseRole = keyof typeof RIGHTS;

/**
 * Grants an existing account the privileges of one role.
 * @param admin a connection that may GRANT
 * @param account `'user'@'host'`, written by the caller's own code and never by a client
 */
export async function grantRights(
  admin: Database,
  schema: string,
  account: string,
  role: DatabaseRole,
): Promise<void> {
  await admin.raw(`GRANT SELECT ON ${schema}.* TO ${account}`);
  for (const [table, rights] of Object.entries(RIGHTS[role])) {
    await admin.raw(`GRANT ${rights} ON ${schema}.${table} TO ${account}`);
  }
}
