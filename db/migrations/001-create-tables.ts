import type { Knex } from 'knex';

/**
 * Text compares byte by byte (`utf8mb4_bin`): 'Ann' and 'ann' are two accounts. Ids are UUIDs in ASCII.
 * Times are UTC with milliseconds.
 */
const TABLE = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ROW_FORMAT=DYNAMIC';
const ID = 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin';
const WORD = 'VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin';

const TABLES = {
  api_keys: `
    id ${ID} NOT NULL PRIMARY KEY,
    name VARCHAR(100) NOT NULL,
    key_hash BINARY(32) NOT NULL,
    scopes VARCHAR(255) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NULL,
    last_used_at DATETIME(3) NULL,
    revoked_at DATETIME(3) NULL,
    UNIQUE KEY by_hash (key_hash)`,

  /** One row per account. A NULL email is a tombstone: the upload `asserted_by` removed the account. */
  identities: `
    integration_id BIGINT UNSIGNED NOT NULL,
    identity VARCHAR(255) NOT NULL,
    email VARCHAR(254) NULL,
    asserted_by BIGINT UNSIGNED NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (integration_id, identity),
    KEY by_email (email, integration_id, identity),
    KEY by_updated_at (updated_at, integration_id, identity)`,

  /** The response to a request with an Idempotency-Key. A repeated request gets the same response. */
  idempotency_records: `
    api_key_id ${ID} NOT NULL,
    method ${WORD} NOT NULL,
    path VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    idempotency_key VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    lease_until DATETIME(3) NULL,
    lease_holder ${ID} NULL,
    request_hash BINARY(32) NULL,
    job_id ${ID} NULL,
    status SMALLINT UNSIGNED NULL,
    headers TEXT NULL,
    body MEDIUMTEXT NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (api_key_id, method, path, idempotency_key),
    KEY by_created_at (created_at)`,

  jobs: `
    id ${ID} NOT NULL PRIMARY KEY,
    type ${WORD} NOT NULL,
    queue ${WORD} NOT NULL,
    state ${WORD} NOT NULL,
    api_key_id ${ID} NOT NULL,
    request_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    acceptance BIGINT UNSIGNED NULL,
    params MEDIUMTEXT NOT NULL,
    plan TEXT NULL,
    source_key VARCHAR(255) NULL,
    result_key VARCHAR(255) NULL,
    rejected_key VARCHAR(255) NULL,
    progress TEXT NULL,
    counts TEXT NULL,
    warnings TEXT NULL,
    error MEDIUMTEXT NULL,
    attempts INT UNSIGNED NOT NULL DEFAULT 0,
    starts_without_progress INT UNSIGNED NOT NULL DEFAULT 0,
    cancel_requested_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL,
    started_at DATETIME(3) NULL,
    finished_at DATETIME(3) NULL,
    expires_at DATETIME(3) NULL,
    results_removed_at DATETIME(3) NULL,
    KEY by_created_at (created_at, id),
    KEY by_source_key (source_key),
    KEY by_result_key (result_key),
    KEY by_rejected_key (rejected_key),
    KEY by_expires_at (results_removed_at, expires_at),
    KEY by_state (state, type),
    KEY by_type (type),
    KEY by_api_key (api_key_id),
    KEY by_acceptance (acceptance)`,

  /** The ledger of imports: each committed chunk has a row, written in the same transaction. */
  import_chunks: `
    job_id ${ID} NOT NULL,
    chunk INT UNSIGNED NOT NULL,
    row_count INT UNSIGNED NOT NULL,
    checksum BINARY(8) NOT NULL,
    created INT UNSIGNED NOT NULL,
    updated INT UNSIGNED NOT NULL,
    unchanged INT UNSIGNED NOT NULL,
    removed INT UNSIGNED NOT NULL,
    not_found INT UNSIGNED NOT NULL,
    superseded INT UNSIGNED NOT NULL,
    PRIMARY KEY (job_id, chunk)`,
};

export async function up(database: Knex): Promise<void> {
  for (const [name, columns] of Object.entries(TABLES)) {
    await database.raw(`CREATE TABLE IF NOT EXISTS ${name} (${columns}) ${TABLE}`);
  }
}
