import type { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import type { Database } from '../client/connect.js';
import {
  acquireConnection,
  type DriverConnection,
  discardConnection,
  releaseConnection,
  toDriverQuery,
} from '../client/driver.js';
import { watchSilence } from '../client/watch-silence.js';
import { type IdentityFilters, type IdentitySort, selectIdentities } from './identity-query.js';

/** Email, integration id and identity. */
export type IdentityCells = [email: string, integrationId: number, identity: string];

const BATCH_ROWS = 2_000;
const BATCHES_AHEAD = 4;

/**
 * Yields all matching identities in batches, as they are at one instant: one SELECT has one snapshot, however long it
 * takes and whatever is written in the meantime. Fails if the connection is lost or the database stops responding; the
 * caller then starts over.
 *
 * One SELECT takes 0.6 to 0.9 s per million rows; keyset pages inside one transaction take 1.1 s.
 * @param silentMs after how much silence the database is probed; see `watchSilence`
 */
export async function* streamIdentities(
  database: Database,
  filters: IdentityFilters,
  sort: IdentitySort,
  silentMs?: number,
): AsyncGenerator<IdentityCells[]> {
  const query = selectIdentities(database, filters, sort).select('email', 'integration_id', 'identity');
  const { sql, values } = toDriverQuery(query);
  const connection = await acquireConnection(database);
  let whole = false;
  try {
    const select = connection.query({ sql, values, rowsAsArray: true });
    yield* readBatches(database, connection, select, silentMs);
    whole = true;
  } finally {
    if (!whole) discardConnection(connection, 'its rows were not read to the end');
    await releaseConnection(database, connection);
  }
}

/**
 * Yields the rows in batches, no more than the reader asks for. The driver's own stream delivers row by row, which
 * takes 50% longer. If the connection is lost, it reports that to the connection and leaves its stream waiting
 * forever.
 */
async function* readBatches(
  database: Database,
  connection: DriverConnection,
  select: EventEmitter,
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
