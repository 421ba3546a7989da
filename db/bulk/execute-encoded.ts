import type { Knex } from 'knex';
import { acquireConnection, type DriverConnection } from '../client/driver.js';
import { statementStarts } from '../client/observe-statements.js';

/** The bytes of a packet's header: its length and its sequence number. */
const PACKET_HEADER_BYTES = 4;

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
    ended?.(error);
    throw error;
  }
}

/**
 * Returns the statement's id. The driver caches prepared statements by connection, each with a description of every parameter that holds
 * the server's packet: 100 MB of a worker's memory. Nobody reads them here.
 */
const prepare = (connection: DriverConnection, sql: string): Promise<number> =>
  new Promise((resolve, reject) => {
    connection.prepare(sql, (error, statement) => {
      if (error) return reject(error);
      statement.parameters.length = 0;
      resolve(statement.id);
    });
  });

/** Writes COM_STMT_EXECUTE: no cursor, one iteration. */
function writeHead(packet: Buffer, statementId: number): void {
  packet[PACKET_HEADER_BYTES] = EXECUTE;
  packet.writeUInt32LE(statementId, PACKET_HEADER_BYTES + 1);
  packet[PACKET_HEADER_BYTES + 5] = 0;
  packet.writeUInt32LE(1, PACKET_HEADER_BYTES + 6);
}

/** mysql2's connection where it sends and receives packets. */
interface PacketConnection {
  addCommand(command: Command): void;
  writePacket(packet: OutgoingPacket): void;
  _resetSequenceId(): void;
  clientEncoding: string;
}

/** A packet from the server. */
interface IncomingPacket {
  isError(): boolean;
  asError(encoding: string): Error;
}

interface OutgoingPacket {
  buffer: Buffer;
  length(): number;
  writeHeader(sequence: number): void;
}

/** One unit of work of the connection, which runs them in turn. */
interface Command {
  /** Called without a packet to start, then with each packet of the response. Returns true after the last one. */
  execute(packet: IncomingPacket | undefined, connection: PacketConnection): boolean;
  /** The driver calls this too if the connection is lost. */
  onResult(error: Error | null): void;
}

/**
 * Sends a packet of our own making and waits for the server's OK.
 * @param buffer the packet; its first {@link PACKET_HEADER_BYTES} bytes are free for the header
 */
const sendPacket = (connection: DriverConnection, buffer: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    const inner = connection as unknown as PacketConnection;
    inner.addCommand(packetCommand(buffer, (error) => (error ? reject(error) : resolve())));
  });

function packetCommand(buffer: Buffer, onResult: Command['onResult']): Command {
  return {
    onResult,
    execute(packet, connection) {
      if (!packet) {
        connection._resetSequenceId();
        connection.writePacket(outgoingPacket(buffer));
        return false;
      }
      this.onResult(packet.isError() ? packet.asError(connection.clientEncoding) : null);
      return true;
    },
  };
}

const outgoingPacket = (buffer: Buffer): OutgoingPacket => ({
  buffer,
  // The driver decides by this length where to split. With the payload's length plus one, the last part is always
  // shorter than a full packet, which the protocol requires.
  length: () => buffer.length - PACKET_HEADER_BYTES + 1,
  writeHeader: (sequence) => {
    buffer.writeUIntLE(buffer.length - PACKET_HEADER_BYTES, 0, 3);
    buffer[3] = sequence;
  },
});
