import type { Knex } from 'knex';
import type Koa from 'koa';
import { inTransaction } from '../../db/client/transaction.js';
import type { Services } from '../services.js';
import type { IdempotentRequest } from './idempotency.js';

interface Change {
  ctx: Koa.Context;
  once: IdempotentRequest | null;
  services: Pick<Services, 'database'>;
}

interface Response {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

/**
 * Makes a change and records its response in one transaction. So a repetition under the same `Idempotency-Key` finds both
 * or neither, even if this process is killed or the connection fails in between: it gets the same response, secrets
 * included, and changes nothing again. `change` may run several times.
 */
export async function changeOnce(
  { ctx, once, services }: Change,
  change: (transaction: Knex.Transaction) => Promise<Response>,
): Promise<void> {
  const { status, headers, body } = await inTransaction(services.database, async (transaction) => {
    const response = { headers: {}, ...(await change(transaction)) };
    await once?.answered(transaction, { ...response, body: JSON.stringify(response.body) });
    return response;
  });
  ctx.status = status;
  ctx.set(headers);
  ctx.body = body;
}
