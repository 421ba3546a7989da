import type { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import type { Database } from '../client/connect.js';
import { watchSilence } from '../client/watch-silence.js';
import { type IdentityFilters, type IdentitySort, selectIdentities } from './identity-query.js';

/** E-mail, integration id and identity. */
export type IdentityCells = [email: string, integrationId: number, identity: string];

const BATCH_ROWS = 2_000;
const BATCHES_AHEAD = 4;

/** A SELECT under way: rows as `result`, then `end`, or `error`. */
type RunningSelect = EventEmitter;

interface RawConnection extends EventEmitter {
  query(options: { sql: string; values: readonly unknown[]; rowsAsArray: true }): RunningSelect;
  pause(): void;
  resume(): void;
  /** The socket. */
  stream: { destroy(): void };
  /** What knex looks at before it gives a connection out again. */
  __knex__disposed?: unknown;
}

/**
 * All identities that fit, in batches, as they are at one instant: one SELECT has one snapshot, however long it takes
 * and whatever is written meanwhile. Fails when the connection is lost or the database falls silent; then start over.
 *
 * One SELECT takes 0.6 to 0.9 s per million rows, keyset pages inside one transaction 1.1 s.
 * @param silentMs after how much silence the database is probed; see `watchSilence`
 */
export async function* streamIdentities(
  database: Database,
  filters: IdentityFilters,
  sort: IdentitySort,
  silentMs?: number,
): AsyncGenerator<IdentityCells[]> {
  const query = selectIdentities(database, filters, sort).select('email', 'integration_id', 'identity');
  const { sql, bindings } = query.toSQL().toNative();
  const connection: RawConnection = await database.client.acquireConnection();
  let whole = false;
  try {
    const select = connection.query({ sql, values: bindings, rowsAsArray: true });
    yield* readBatches(database, connection, select, silentMs);
    whole = true;
  } finally {
    if (!whole) dispose(connection);
    await database.client.releaseConnection(connection);
  }
}

/**
 * The rows in batches, no more than are asked for. The driver's own stream hands on row by row, which takes half as long
 * again; and when the connection is lost, it tells the connection and leaves its stream waiting for ever.
 */
async function* readBatches(
  database: Database,
  connection: RawConnection,
  select: RunningSelect,
  silentMs?: number,
): AsyncGenerator<IdentityCells[]> {
  let wanted = true;
  const batches = new Readable({
    objectMode: true,
    highWaterMark: BATCHES_AHEAD,
    read: () => {
      wanted = true;
      connection.resume();
    },
  });
  const fail = (error: Error): void => void batches.destroy(error);
  const silence = watchSilence(database, () => wanted, fail, silentMs);
  let batch: IdentityCells[] = [];
  const handOn = (): void => {
    wanted = batches.push(batch);
    if (!wanted) connection.pause();
    batch = [];
  };
  select.on('result', (row: IdentityCells) => {
    silence.heard();
    if (batch.push(row) === BATCH_ROWS) handOn();
  });
  select.on('end', () => {
    if (batch.length > 0) handOn();
    batches.push(null);
  });
  select.on('error', fail);
  connection.on('error', fail);
  try {
    yield* batches;
  } finally {
    silence.stop();
    connection.off('error', fail);
    connection.resume();
  }
}

/** A connection with rows still on their way is of no use to anybody else. */
function dispose(connection: RawConnection): void {
  connection.on('error', () => {});
  connection.__knex__disposed = new Error('its rows were not read to the end');
  // The driver's own `destroy` ends the socket in good manners, and waits for the server to have sent everything.
  connection.stream.destroy();
}
