import type { Knex } from 'knex';

const TABLE = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ROW_FORMAT=DYNAMIC';
const ID = 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin';

/**
 * What a chunk changed, as pieces of a CSV file, each a gzip member. `kind` is 0 for changed rows, 1 for the rows that a
 * revert skipped. `text_bytes` is the size after decompression, `escapes` the bytes that escaping formulas adds to it.
 */
const PARTS = `
  job_id ${ID} NOT NULL,
  kind TINYINT UNSIGNED NOT NULL,
  chunk INT UNSIGNED NOT NULL,
  part INT UNSIGNED NOT NULL,
  text_bytes INT UNSIGNED NOT NULL,
  gzip_bytes INT UNSIGNED NOT NULL,
  escapes INT UNSIGNED NOT NULL,
  content MEDIUMBLOB NOT NULL,
  PRIMARY KEY (job_id, kind, chunk, part)`;

/**
 * What each statement adds. With INSTANT it fails where the server would rebuild the table instead. MariaDB must rebuild `jobs`, because
 * it has an indexed virtual column; reads of jobs go on meanwhile, and writes wait. MySQL does without.
 */
const HOW = { jobs: '', import_chunks: ', ALGORITHM=INSTANT' };

/** Workers of the previous release leave `changes_kept` NULL. */
const COLUMNS: Record<keyof typeof HOW, Record<string, string>> = {
  jobs: { changes_bytes: 'BIGINT UNSIGNED NULL' },
  import_chunks: {
    restored: 'INT UNSIGNED NOT NULL DEFAULT 0',
    skipped: 'INT UNSIGNED NOT NULL DEFAULT 0',
    changes_kept: 'TINYINT UNSIGNED NULL',
  },
};

export async function up(database: Knex): Promise<void> {
  await database.raw(`CREATE TABLE IF NOT EXISTS import_changes (${PARTS}) ${TABLE}`);
  for (const [table, columns] of Object.entries(COLUMNS)) {
    for (const [name, type] of Object.entries(columns)) {
      if (await database.schema.hasColumn(table, name)) continue;
      await database.raw(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}${HOW[table as keyof typeof HOW]}`);
    }
  }
}
