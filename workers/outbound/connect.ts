import { connect, type Socket } from 'node:net';
import { toOutboundError } from './outbound-error.js';

/**
 * Opens a TCP connection to an address.
 * @param host for messages
 * @param signal ends it until it is open, and is what it fails with then
 * @throws OutboundError
 */
export function connectTo(host: string, address: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port });
    const stop = () => socket.destroy(signal.reason);
    signal.addEventListener('abort', stop);
    socket.once('connect', () => {
      signal.removeEventListener('abort', stop);
      socket.off('error', fail);
      resolve(socket);
    });
    const fail = (error: Error) =>
      reject(signal.aborted ? signal.reason : toOutboundError(host, error, true));
    socket.once('error', fail);
  });
}
