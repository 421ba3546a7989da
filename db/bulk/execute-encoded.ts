import type { Knex } from 'knex';

/** What is used of the driver's connection. */
interface Connection {
  prepare(sql: string, done: (error: Error | null, statement: { id: number }) => void): void;
  addCommand(command: Command): void;
  writePacket(packet: OutPacket): void;
  _resetSequenceId(): void;
  clientEncoding: string;
}

/** A packet of the server. */
interface Answer {
  isError(): boolean;
  asError(encoding: string): Error;
}

/** What the driver's connection carries out, one after the other. */
interface Command {
  /** Called without a packet to begin, then with each of the answer; true when that was the last. */
  execute(answer: Answer | undefined, connection: Connection): boolean;
  /** Called by the driver, too, when the connection is lost. */
  onResult(error: Error | null): void;
}

interface OutPacket {
  buffer: Buffer;
  length(): number;
  writeHeader(sequence: number): void;
}

/**
 * Runs a prepared statement whose parameters are encoded already, on a transaction's own connection. The driver encodes
 * by an object a value, which with thousands of rows was a fifth of a worker's garbage; so this hands it the packet.
 *
 * @param packet the parameters, after HEAD_BYTES that are free
 */
export async function executeEncoded(
  transaction: Knex.Transaction,
  sql: string,
  packet: Buffer,
): Promise<void> {
  const connection: Connection = await transaction.client.acquireConnection();
  const id = await prepare(connection, sql);
  return new Promise((resolve, reject) => {
    const execution = executePacket(id, packet);
    connection.addCommand(new Execution(execution, (error) => (error ? reject(error) : resolve())));
  });
}

/** The driver remembers what is prepared. */
const prepare = (connection: Connection, sql: string): Promise<number> =>
  new Promise((resolve, reject) => {
    connection.prepare(sql, (error, statement) => (error ? reject(error) : resolve(statement.id)));
  });

const HEADER_BYTES = 4;
const EXECUTE = 0x17;
/** What stands before the parameters: the packet's header, the command, statement, flags, iterations. */
export const HEAD_BYTES = HEADER_BYTES + 10;

function executePacket(statementId: number, buffer: Buffer): OutPacket {
  buffer[HEADER_BYTES] = EXECUTE;
  buffer.writeUInt32LE(statementId, HEADER_BYTES + 1);
  buffer[HEADER_BYTES + 5] = 0;
  buffer.writeUInt32LE(1, HEADER_BYTES + 6);
  return {
    buffer,
    // From this the driver finds where to split: by the payload and one, the last part is shorter than a full packet.
    length: () => buffer.length - HEADER_BYTES + 1,
    writeHeader: (sequence) => {
      buffer.writeUIntLE(buffer.length - HEADER_BYTES, 0, 3);
      buffer[3] = sequence;
    },
  };
}

class Execution implements Command {
  readonly #packet: OutPacket;
  readonly onResult: Command['onResult'];

  constructor(packet: OutPacket, onResult: Command['onResult']) {
    this.#packet = packet;
    this.onResult = onResult;
  }

  execute(answer: Answer | undefined, connection: Connection): boolean {
    if (!answer) {
      connection._resetSequenceId();
      connection.writePacket(this.#packet);
      return false;
    }
    this.onResult(answer.isError() ? answer.asError(connection.clientEncoding) : null);
    return true;
  }
}
