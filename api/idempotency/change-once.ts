import type { Knex } from 'knex';
import type Koa from 'koa';
import type { AuditChange, AuditOrigin } from '../../db/audit/entry.js';
import { writeAudit } from '../../db/audit/write-audit.js';
import type { Database } from '../../db/client/connect.js';
import { inTransaction } from '../../db/client/transaction.js';
import type { IdempotentRequest } from './idempotent-request.js';

interface Change {
  ctx: Koa.Context;
  origin: AuditOrigin;
  /** Null for a request without an `Idempotency-Key`. */
  once: IdempotentRequest | null;
  services: { database: Database };
}

interface Response {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
  /** What was changed, for the audit log; nothing if that is as it was. */
  audit: readonly AuditChange[];
}

/**
 * Makes a change, and records its response and its entries in the audit log in one transaction, then sends the response. A repetition under the same
 * `Idempotency-Key` finds both or neither, even if this process is killed or the connection fails in between. It gets the
 * same response, secrets included, and changes nothing. `change` may run several times.
 */
export async function changeOnce(
  { ctx, origin, once, services }: Change,
  change: (transaction: Knex.Transaction) => Promise<Response>,
): Promise<void> {
  const { status, headers, body } = await inTransaction(services.database, async (transaction) => {
    const { audit, ...changed } = await change(transaction);
    const response = { headers: {}, ...changed };
    await once?.recordResponse(transaction, { ...response, body: JSON.stringify(response.body) });
    await writeAudit(transaction, origin, audit);
    return response;
  });
  ctx.status = status;
  ctx.set(headers);
  ctx.body = body;
}
