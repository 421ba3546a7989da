import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { BulkRows } from '../bulk/rows.js';
import { BulkTable } from '../bulk/table.js';
import type { OwnedKey } from './chunk-outcome.js';

const KEY_AND_OWNER = { integration_id: 'number', identity: 'text', email: 'text' } as const;
const COLUMNS = { ...KEY_AND_OWNER, asserted_by: 'number' } as const;

type Write = (transaction: Knex.Transaction, rows: readonly OwnedKey[], acceptance: number) => Promise<void>;

/** Rows of the largest INSERT. With 200, a worker takes a fifth more CPU time to write new rows. */
const MAX_ROWS = 1_000;
/** The acceptance number, which all rows of a chunk share, is set once: as a parameter of each row it takes a worker a tenth more CPU time. */
const ASSERTED_BY = '@muster_asserted_by';
const added = { asserted_by: ASSERTED_BY };
const created = { asserted_by: ASSERTED_BY, created_by: ASSERTED_BY };

const ADDED = new BulkTable('identities', KEY_AND_OWNER, '', { constants: added, maxRows: MAX_ROWS });
const CREATED = new BulkTable('identities', KEY_AND_OWNER, '', { constants: created, maxRows: MAX_ROWS });

/**
 * Inserts new rows. Fails with a duplicate key if a row exists.
 * @param keepsHistory whether accounts that have an owner name the upload as their creator
 */
export async function insertIdentities(
  transaction: Knex.Transaction,
  rows: readonly OwnedKey[],
  acceptance: number,
  keepsHistory: boolean,
): Promise<void> {
  if (rows.length === 0) return;
  await transaction.raw(`SET ${ASSERTED_BY} = ${acceptance}`);
  const isCreated = ({ email }: OwnedKey): boolean => keepsHistory && email !== null;
  await insert(transaction, CREATED, rows.filter(isCreated));
  await insert(
    transaction,
    ADDED,
    rows.filter((row) => !isCreated(row)),
  );
}

/** Encodes the rows of a statement while the server executes the statement before it. */
async function insert(
  transaction: Knex.Transaction,
  table: BulkTable,
  rows: readonly OwnedKey[],
): Promise<void> {
  let sent: Promise<void> | null = null;
  for (let from = 0; from < rows.length; from += MAX_ROWS) {
    const encoded = table.rows();
    for (const row of rows.slice(from, from + MAX_ROWS)) {
      addKeyAndOwner(encoded, row);
      encoded.endRow();
    }
    await sent;
    sent = table.insert(transaction, encoded);
    // Awaited after the next rows are encoded.
    sent.catch(() => {});
    await yieldToOthers();
  }
  await sent;
}

/**
 * These clauses are for rows that exist and that this transaction has locked, so there is nothing to compare. MySQL
 * assigns from left to right.
 */
const bump = 'asserted_by = VALUES(asserted_by)';
const move = `updated_at = NOW(3), created_by = NULL, ${bump}, email = VALUES(email)`;

/** Changes the owner of rows, or removes it. */
export const moveIdentities: Write = upsert(` ON DUPLICATE KEY UPDATE ${move}`);

/** Restores removed rows as new ones. */
export const reviveIdentities: Write = upsert(` ON DUPLICATE KEY UPDATE created_at = NOW(3), ${move}`);

/** Changes only the number of the upload that asserted the rows last. */
export const bumpIdentities: Write = upsert(` ON DUPLICATE KEY UPDATE ${bump}`);

function upsert(onDuplicate: string): Write {
  const table = new BulkTable('identities', COLUMNS, onDuplicate);
  return async (transaction, rows, acceptance) => {
    const encoded = table.rows();
    for (const row of rows) {
      addKeyAndOwner(encoded, row);
      encoded.number(acceptance);
      encoded.endRow();
    }
    await table.insert(transaction, encoded);
  };
}

function addKeyAndOwner(encoded: BulkRows, { integrationId, identity, email }: OwnedKey): void {
  encoded.number(integrationId);
  encoded.text(identity);
  encoded.text(email);
}
