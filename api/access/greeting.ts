import { createHmac } from 'node:crypto';
import type { Socket } from 'node:net';

/** What the challenger chose, once: 32 to 128 hexadecimal digits. */
export const NONCE = /^[0-9a-f]{32,128}$/;

/**
 * Returns the proof that its maker knows the key: an HMAC-SHA256 in hexadecimal. It reveals nothing about the key.
 * @param address the server's end of the connection, so that a relay at another address cannot pass a proof on
 */
export function greetingProof(key: string, nonce: string, address: string): string {
  return createHmac('sha256', key).update(`muster greeting\n${nonce}\n${address}`).digest('hex');
}

/** The server's end of a connection, as the server sees it. */
export const serverAddressAtServer = ({ localAddress, localPort }: Socket): string =>
  `${plain(localAddress)} ${localPort}`;

/** The same as the client sees it. */
export const serverAddressAtClient = ({ remoteAddress, remotePort }: Socket): string =>
  `${plain(remoteAddress)} ${remotePort}`;

/** A socket that listens on `::` shows IPv4 addresses in the form of IPv6. */
const plain = (address = ''): string => address.replace(/^::ffff:/, '');
