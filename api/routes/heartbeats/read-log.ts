import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { askForBody } from '../../http/expect.js';
import { BufferReservation } from '../../intake/buffer.js';
import type { Intake } from '../../intake/intake.js';
import type { TokenTarget } from '../../intake/webhook-directory.js';

/** How much of a body is kept. */
export const LOG_BYTES = 64 * 1024;

/**
 * Reads the log of a job: the start of a body of any type and size, because a ping counts however much the job writes. Call `release` when it is not needed
 * any more.
 */
export async function readLog(
  req: IncomingMessage,
  res: ServerResponse,
  { intake, target }: { intake: Intake; target: TokenTarget },
): Promise<{ log: Buffer; release(): void }> {
  const reservation = new BufferReservation(intake.buffer, target.webhook.id, LOG_BYTES);
  const release = () => reservation.release();
  try {
    askForBody(req, res);
    return { log: wholeCharacters(await intake.bodies.readStart(req, LOG_BYTES)), release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Returns text without a part of a character at its end, and other bytes as they are. */
function wholeCharacters(bytes: Buffer): Buffer {
  const ends = [0, 1, 2, 3].map((dropped) => bytes.subarray(0, bytes.length - dropped));
  return ends.find((start) => isUtf8(start)) ?? bytes;
}
