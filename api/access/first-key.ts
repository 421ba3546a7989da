import { ensureApiKey, SCOPES } from '../../db/access/api-keys.js';
import { systemOrigin } from '../../db/audit/entry.js';
import { writeAudit } from '../../db/audit/write-audit.js';
import type { Database } from '../../db/client/connect.js';
import { inTransaction } from '../../db/client/transaction.js';

/** Creates the key of `BOOTSTRAP_API_KEY`, with all scopes, unless it exists. A revoked key stays revoked. */
export async function ensureFirstKey(database: Database, text: string): Promise<void> {
  const name = 'first key';
  await inTransaction(database, async (transaction) => {
    const id = await ensureApiKey(transaction, { name, scopes: SCOPES }, text);
    if (id === null) return;
    const change = { kind: 'api_key' as const, id, name, before: null, after: { name, scopes: SCOPES } };
    await writeAudit(transaction, systemOrigin('BOOTSTRAP_API_KEY', 'createKey'), [change]);
  });
}
