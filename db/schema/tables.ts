import type { AlertState } from '../events/alerts/alerts.js';
import type { EventState } from '../events/events.js';
import type { StoredItemStatus } from '../events/new-event.js';
import type { JobState } from '../jobs/jobs.js';
import type { Subject } from '../upkeep/horizons.js';
import type { SignatureMode } from '../webhooks/webhook-signature.js';
import type { Challenge, OverLimitStatus } from '../webhooks/webhooks.js';

type Kind = 'text' | 'int' | 'bigint' | 'date' | 'bytes';

/** A column, and as its type what the driver returns for a cell of it. */
interface Column<Value> {
  kind: Kind;
  isNullable: boolean;
  /** Never set: it carries the type. */
  value?: Value;
}

const column = <Value>(kind: Kind): Column<Value> => ({ kind, isNullable: false });
const orNull = <Value>(inner: Column<Value>): Column<Value | null> => ({
  kind: inner.kind,
  isNullable: true,
});

const text = column<string>('text');
const int = column<number>('int');
/** The driver returns a number above 2^53 as text. */
const big = column<number | string>('bigint');
const date = column<Date>('date');
const bytes = column<Buffer>('bytes');

/** The columns of each table, which the migrations create. A test compares them with the database's own catalog. */
export const TABLES = {
  alerts: {
    received_at: date,
    id: bytes,
    webhook_id: bytes,
    state: column<AlertState>('text'),
    revision: int,
    title: orNull(text),
    severity: orNull(text),
    description: orNull(text),
    source: orNull(text),
    service: orNull(text),
    environment: orNull(text),
    team: orNull(text),
    custom: orNull(text),
    faults: orNull(text),
    dedup_key: orNull(text),
    last_event_at: orNull(date),
    resolved_at: orNull(date),
    event_count: orNull(int),
    previous_alert_id: orNull(bytes),
    is_test: orNull(int),
  },
  api_keys: {
    id: text,
    name: text,
    key_hash: bytes,
    scopes: text,
    created_at: date,
    expires_at: orNull(date),
    last_used_at: orNull(date),
    revoked_at: orNull(date),
  },
  deliveries: {
    id: bytes,
    received_at: date,
  },
  events: {
    received_at: date,
    id: bytes,
    webhook_id: bytes,
    state: column<EventState>('text'),
    revision: int,
    alert_count: int,
    faults: orNull(text),
    raw: bytes,
    request: orNull(text),
    filter_outcome: orNull(text),
    keyed_count: orNull(int),
  },
  idempotency_records: {
    api_key_id: text,
    method: text,
    path: text,
    idempotency_key: text,
    lease_until: orNull(date),
    lease_holder: orNull(text),
    request_hash: orNull(bytes),
    job_id: orNull(text),
    status: orNull(int),
    headers: orNull(text),
    body: orNull(text),
    created_at: date,
  },
  identities: {
    integration_id: big,
    identity: text,
    email: orNull(text),
    asserted_by: big,
    created_at: date,
    updated_at: date,
    created_by: orNull(big),
  },
  identity_history: {
    integration_id: big,
    identity: text,
    changed_at: date,
    job_id: bytes,
    api_key_id: bytes,
    email_before: orNull(text),
    email_after: orNull(text),
  },
  identity_mirrors: {
    integration_id: big,
    acceptance: big,
  },
  identity_uploads: {
    acceptance: big,
    job_id: bytes,
    api_key_id: bytes,
  },
  import_changes: {
    job_id: text,
    kind: int,
    chunk: int,
    part: int,
    text_bytes: int,
    gzip_bytes: int,
    escapes: int,
    content: bytes,
  },
  import_chunks: {
    job_id: text,
    chunk: int,
    row_count: int,
    checksum: bytes,
    created: int,
    updated: int,
    unchanged: int,
    removed: int,
    not_found: int,
    superseded: int,
    restored: int,
    skipped: int,
    changes_kept: orNull(int),
  },
  jobs: {
    id: text,
    type: text,
    queue: text,
    state: column<JobState>('text'),
    api_key_id: text,
    request_id: text,
    acceptance: orNull(big),
    params: text,
    plan: orNull(text),
    source_key: orNull(text),
    result_key: orNull(text),
    rejected_key: orNull(text),
    progress: orNull(text),
    counts: orNull(text),
    warnings: orNull(text),
    error: orNull(text),
    attempts: int,
    starts_without_progress: int,
    cancel_requested_at: orNull(date),
    created_at: date,
    started_at: orNull(date),
    finished_at: orNull(date),
    expires_at: orNull(date),
    results_removed_at: orNull(date),
    upload_columns: orNull(text),
    source_bytes: orNull(big),
    result_bytes: orNull(big),
    stored_bytes: orNull(big),
    changes_bytes: orNull(big),
    file_name: orNull(text),
  },
  job_steps: {
    job_id: text,
    phase: int,
    step: int,
    row_count: int,
    checksum: bytes,
    resume: orNull(text),
    counts: text,
    changes_kept: orNull(int),
  },
  mapping_revisions: {
    webhook_id: text,
    revision: int,
    mapping: text,
    created_at: date,
    saved_by_id: orNull(text),
    saved_by_name: orNull(text),
  },
  migration_lock: {
    id: int,
    holder: orNull(text),
    renewals: int,
  },
  replica_heartbeat: {
    id: int,
    beat_at: date,
  },
  saved_templates: {
    name: text,
    title: text,
    description: text,
    mapping: text,
    sample: text,
    bytes: int,
    revision: int,
    saved_by_id: orNull(text),
    saved_by_name: orNull(text),
    created_at: date,
    updated_at: date,
    owner_id: orNull(text),
  },
  secret_canary: {
    id: int,
    sealed: orNull(bytes),
  },
  series: {
    id: bytes,
    webhook_id: bytes,
    dedup_key: text,
    last_received_at: orNull(date),
    last_item: orNull(bytes),
    firing: int,
    alert_received_at: orNull(date),
    alert_id: orNull(bytes),
    alert_last_received_at: orNull(date),
    alert_last_item: orNull(bytes),
    event_count: int,
    previous_alert_id: orNull(bytes),
    severity: orNull(text),
    providers: orNull(text),
    alert_bytes: int,
    refold_from: orNull(date),
    ended: orNull(text),
    occurrence: orNull(text),
    expired_end: orNull(text),
  },
  series_alerts: {
    series_id: bytes,
    received_at: date,
    alert_id: bytes,
    ended_before: orNull(text),
  },
  series_items: {
    received_at: date,
    id: bytes,
    series_id: bytes,
    status: column<StoredItemStatus>('text'),
    state: column<AlertState>('text'),
    revision: int,
    event_count: int,
    title: orNull(text),
    severity: orNull(text),
    description: orNull(text),
    source: orNull(text),
    service: orNull(text),
    environment: orNull(text),
    team: orNull(text),
    custom: orNull(text),
    faults: orNull(text),
    ranks: text,
    occurrence: orNull(text),
    is_final: int,
  },
  sns_confirmations: {
    id: bytes,
    received_at: date,
    subscription_arn: orNull(text),
    confirmed_at: date,
    confirmed_by_id: text,
    confirmed_by_name: text,
  },
  upkeep_horizons: {
    subject: column<Subject>('text'),
    horizon: date,
    moved_at: date,
    refused: orNull(date),
    allowed: orNull(date),
  },
  webhooks: {
    id: text,
    name: text,
    description: text,
    template: orNull(text),
    mapping_revision: int,
    signature_scheme: orNull(text),
    signature_secret: orNull(bytes),
    events_per_minute: orNull(int),
    over_limit_status: column<OverLimitStatus>('int'),
    created_at: date,
    updated_at: date,
    deleted_at: orNull(date),
    signature_parameters: orNull(text),
    signature_mode: column<SignatureMode>('text'),
    signature_changed_at: orNull(date),
    previous_secret: orNull(bytes),
    previous_secret_expires_at: orNull(date),
    revision: int,
    saved_by_id: orNull(text),
    saved_by_name: orNull(text),
    challenge: orNull(column<Challenge>('text')),
  },
  webhook_changes: {
    id: int,
    version: big,
  },
  webhook_tokens: {
    token_hash: bytes,
    webhook_id: text,
    sealed: bytes,
    created_at: date,
    expires_at: orNull(date),
    last_used_at: orNull(date),
  },
};

type Cells<Columns> = { [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never };
type Rows = { [Table in keyof typeof TABLES]: Cells<(typeof TABLES)[Table]> };

declare module 'knex/types/tables.js' {
  /** What knex knows of the tables: `Tables['jobs']` is a row of `jobs`. */
  interface Tables extends Rows {}
}
