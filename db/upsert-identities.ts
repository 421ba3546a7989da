import type { Knex } from 'knex';
import type { Assertion } from './decide.js';
import { executePrepared } from './statement.js';

/** Rows a statement: a few shapes only, because each is prepared on every connection. */
const SHAPES = [1_000, 200, 40, 8, 1];

type Write = (
  transaction: Knex.Transaction,
  assertions: readonly Assertion[],
  acceptance: number,
) => Promise<void>;

/** Inserts what is not there; fails with a duplicate key when it is. */
export const insertIdentities: Write = upsert('');

/** The rest is for rows that are there and locked by us, so that there is nothing left to compare. Left to right. */
const lift = 'asserted_by = VALUES(asserted_by)';
const move = `updated_at = NOW(3), ${lift}, email = VALUES(email)`;

/** Gives rows another owner, or none. */
export const moveIdentities: Write = upsert(` ON DUPLICATE KEY UPDATE ${move}`);

/** Brings removed rows back, as new ones. */
export const reviveIdentities: Write = upsert(` ON DUPLICATE KEY UPDATE created_at = NOW(3), ${move}`);

/** Lifts only the number of the upload that asserted rows last. */
export const liftIdentities: Write = upsert(` ON DUPLICATE KEY UPDATE ${lift}`);

function upsert(onDuplicate: string): Write {
  const texts = new Map(SHAPES.map((rows) => [rows, statementText(rows, onDuplicate)]));
  return async (transaction, assertions, acceptance) => {
    let done = 0;
    for (const size of SHAPES) {
      for (; assertions.length - done >= size; done += size) {
        const values = valuesOf(assertions, done, size, acceptance);
        await executePrepared(transaction, texts.get(size) as string, values);
      }
    }
  };
}

function statementText(rows: number, onDuplicate: string): string {
  const values = new Array(rows).fill('(?,?,?,?)').join(',');
  return `INSERT INTO identities (integration_id, identity, email, asserted_by) VALUES ${values}${onDuplicate}`;
}

/** Numbers go as text: the driver would send them as doubles. */
function valuesOf(assertions: readonly Assertion[], from: number, size: number, acceptance: number) {
  const assertedBy = String(acceptance);
  const values = new Array<string | null>(size * 4);
  let at = 0;
  for (let i = from; i < from + size; i++) {
    const { integrationId, identity, email } = assertions[i] as Assertion;
    values[at++] = String(integrationId);
    values[at++] = identity;
    values[at++] = email;
    values[at++] = assertedBy;
  }
  return values;
}
