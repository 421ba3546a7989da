import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { greetingProof, serverAddressAtClient } from '../../api/access/greeting.js';
import { UploadFailure } from './failure.js';

const longestGreeting = 4_096;

/**
 * Makes the server prove that it knows `key`, with a request that contains no secret.
 * @param send sends the request with an agent that has one connection and keeps it
 * @returns the connection over which the server proved its identity
 * @throws UploadFailure if the proof is missing or wrong
 */
export async function greet(
  key: string,
  origin: string,
  send: (path: string) => ClientRequest,
): Promise<Socket> {
  const nonce = randomBytes(32).toString('hex');
  const request = send(`greeting?nonce=${nonce}`);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { socket } = response;
  const expected = greetingProof(key, nonce, serverAddressAtClient(socket));
  if (isProof(await bodyOf(response), expected)) return socket;
  throw new UploadFailure(
    `${origin} could not prove that it is the Muster of DATA_DIR, so nothing was sent to it. ` +
      'If it is the right server, set both MUSTER_URL and MUSTER_API_KEY.',
  );
}

/** Returns the body, or an empty text if it is longer than any greeting: an unknown server may send without end. */
async function bodyOf(response: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) {
    body += chunk;
    if (body.length > longestGreeting) return '';
  }
  return body;
}

function isProof(body: string, expected: string): boolean {
  try {
    const { proof } = JSON.parse(body) as { proof?: unknown };
    return typeof proof === 'string' && timingSafeEqual(Buffer.from(proof), Buffer.from(expected));
  } catch {
    return false;
  }
}

/** Sends a request only over that connection, because another program may listen on the port by now. */
export function sendOnlyOver(socket: Socket, request: ClientRequest): void {
  request.on('socket', (given) => {
    if (given !== socket) request.destroy(new Error('the connection was closed after the greeting'));
  });
}
