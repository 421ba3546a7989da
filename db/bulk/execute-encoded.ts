import type { Knex } from 'knex';
import {
  acquireConnection,
  type DriverConnection,
  PACKET_HEADER_BYTES,
  sendPacket,
} from '../client/driver.js';
import { statementStarts } from '../client/observe-statements.js';

const EXECUTE = 0x17;
/** Bytes before the parameters: the packet's header, the command, the statement's id, flags, the iteration count. */
export const HEAD_BYTES = PACKET_HEADER_BYTES + 10;

/**
 * Runs a prepared statement whose parameters are already encoded, on a transaction's own connection. The driver's own
 * encoder makes an object for each value: with thousands of rows, a fifth of a worker's garbage.
 *
 * @param packet the parameters, after {@link HEAD_BYTES} free bytes
 */
export async function executeEncoded(
  transaction: Knex.Transaction,
  sql: string,
  packet: Buffer,
): Promise<void> {
  const connection = await acquireConnection(transaction);
  writeHead(packet, await prepare(connection, sql));
  const ended = statementStarts(sql);
  try {
    await sendPacket(connection, packet);
    ended?.();
  } catch (error) {
    ended?.(error as Error);
    throw error;
  }
}

/** Returns the statement's id. The driver caches prepared statements by connection. */
const prepare = (connection: DriverConnection, sql: string): Promise<number> =>
  new Promise((resolve, reject) => {
    connection.prepare(sql, (error, statement) => (error ? reject(error) : resolve(statement.id)));
  });

/** Writes COM_STMT_EXECUTE: no cursor, one iteration. */
function writeHead(packet: Buffer, statementId: number): void {
  packet[PACKET_HEADER_BYTES] = EXECUTE;
  packet.writeUInt32LE(statementId, PACKET_HEADER_BYTES + 1);
  packet[PACKET_HEADER_BYTES + 5] = 0;
  packet.writeUInt32LE(1, PACKET_HEADER_BYTES + 6);
}
