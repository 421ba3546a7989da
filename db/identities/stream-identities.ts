import type { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { type CellPlace, findCell, listenToRows, type RowListener } from '../bulk/row-bytes.js';
import type { Database } from '../client/connect.js';
import {
  acquireConnection,
  type DriverConnection,
  discardConnection,
  releaseConnection,
  toDriverQuery,
} from '../client/driver.js';
import { DatabaseSilent } from '../client/errors.js';
import { type IdentityFilters, type IdentitySort, selectIdentities } from './identity-query.js';

/** Collects rows of {@link streamIdentities} in batches. */
export interface RowCollector<Batch> {
  /** Adds a row: the email, the `integrationId` and the identity, as the server sent them. */
  add: RowListener;
  /** Returns whether the batch should be taken. */
  readonly isFull: boolean;
  /** Returns the rows that were added since the last call. */
  take(): Batch;
}

const BATCHES_AHEAD = 4;

/**
 * Yields all matching identities in batches, as they are at one instant: one SELECT has one snapshot, however long it
 * takes and whatever is written in the meantime. Fails if the connection is lost or the database stops responding; the
 * caller then starts over.
 *
 * One SELECT takes 0.6 to 0.9 s per million rows; keyset pages inside one transaction take 1.1 s.
 * @param silentMs after how much silence the database is probed; see `watchSilence`
 */
export async function* streamIdentities<Batch>(
  database: Database,
  filters: IdentityFilters,
  sort: IdentitySort,
  rows: RowCollector<Batch>,
  silentMs?: number,
): AsyncGenerator<Batch> {
  const query = selectIdentities(database, filters, sort).select('email', 'integration_id', 'identity');
  const { sql, values } = toDriverQuery(query);
  const connection = await acquireConnection(database);
  let whole = false;
  try {
    const select = connection.query({ sql, values });
    yield* readBatches(database, connection, select, rows, silentMs);
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
async function* readBatches<Batch>(
  database: Database,
  connection: DriverConnection,
  select: EventEmitter,
  rows: RowCollector<Batch>,
  silentMs?: number,
): AsyncGenerator<Batch> {
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
  let isEmpty = true;
  const handOn = (): void => {
    wanted = batches.push(rows.take());
    if (!wanted) connection.pause();
    isEmpty = true;
  };
  listenToRows(select, (packet, start, end) => {
    silence.heard();
    rows.add(packet, start, end);
    isEmpty = false;
    if (rows.isFull) handOn();
  });
  select.on('end', () => {
    if (!isEmpty) handOn();
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

/** Email, `integrationId` and identity. */
type IdentityCells = [email: string, integrationId: number, identity: string];

const BATCH_ROWS = 2_000;

/** Collects identities as texts and numbers. */
export class IdentityCellRows implements RowCollector<IdentityCells[]> {
  readonly #place: CellPlace = { start: 0, end: 0 };
  #rows: IdentityCells[] = [];

  add(packet: Buffer, start: number): void {
    const place = this.#place;
    const next = (offset: number): string => {
      findCell(packet, offset, place);
      return packet.toString('utf8', place.start, place.end);
    };
    const email = next(start);
    const integrationId = Number(next(place.end));
    this.#rows.push([email, integrationId, next(place.end)]);
  }

  get isFull(): boolean {
    return this.#rows.length >= BATCH_ROWS;
  }

  take(): IdentityCells[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }
}

/** How long a SELECT may send nothing before the server is probed. */
const SILENT_MS = 10_000;
const PROBE_WITHIN_MS = 2_000;
/** Longer than any sort takes. After this time the connection is dead, even if the server is alive. */
const MAX_SILENT_MS = 10 * 60_000;

/**
 * Watches a SELECT that streams rows. A frozen or disconnected server sends nothing and closes nothing, so the stream would
 * wait forever. A server that sorts millions of rows sends nothing either, but it responds to a probe.
 * @param isWaiting returns whether the reader is waiting for rows; silence only matters then
 * @param fail called once, with `DatabaseSilent`
 * @returns `heard`, to call for each row, and `stop`, to call at the end
 */
function watchSilence(
  database: Database,
  isWaiting: () => boolean,
  fail: (error: Error) => void,
  silentMs = SILENT_MS,
): { heard: () => void; stop: () => void } {
  let silentSince = performance.now();
  // Rows set a flag, because reading the clock for each of them takes longer than the rest of this call.
  let hasHeard = false;
  const heard = (): void => {
    hasHeard = true;
  };
  let isProbing = false;
  const timer = setInterval(async () => {
    if (isProbing) return;
    if (hasHeard || !isWaiting()) silentSince = performance.now();
    hasHeard = false;
    const silence = performance.now() - silentSince;
    if (silence < silentMs) return;
    isProbing = true;
    const isAlive = silence < MAX_SILENT_MS && (await responds(database));
    isProbing = false;
    // Rows that arrived during the probe are a response too.
    if (!isAlive && !hasHeard) fail(new DatabaseSilent('the database stopped sending rows'));
  }, silentMs / 4);
  return { heard, stop: () => clearInterval(timer) };
}

const responds = (database: Database): Promise<boolean> =>
  database
    .raw('SELECT 1')
    .timeout(PROBE_WITHIN_MS)
    .then(
      () => true,
      () => false,
    );
