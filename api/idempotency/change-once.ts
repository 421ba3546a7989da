import type { Knex } from 'knex';
import type Koa from 'koa';
import type { Database } from '../../db/client/connect.js';
import { inTransaction } from '../../db/client/transaction.js';
import type { IdempotentRequest } from './idempotent-request.js';

interface Change {
  ctx: Koa.Context;
  /** Null for a request without an `Idempotency-Key`. */
  once: IdempotentRequest | null;
  services: { database: Database };
}

interface Response {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

/**
 * Makes a change and records its response in one transaction, then sends the response. A repetition under the same
 * `Idempotency-Key` finds both or neither, even if this process is killed or the connection fails in between. It gets the
 * same response, secrets included, and changes nothing. `change` may run several times.
 */
export async function changeOnce(
  { ctx, once, services }: Change,
  change: (transaction: Knex.Transaction) => Promise<Response>,
): Promise<void> {
  const { status, headers, body } = await inTransaction(services.database, async (transaction) => {
    const response = { headers: {}, ...(await change(transaction)) };
    await once?.recordResponse(transaction, { ...response, body: JSON.stringify(response.body) });
    return response;
  });
  ctx.status = status;
  ctx.set(headers);
  ctx.body = body;
}
