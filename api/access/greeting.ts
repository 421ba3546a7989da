import { createHmac } from 'node:crypto';
import type { Socket } from 'node:net';

/** A value that the client uses only once: 32 to 128 hexadecimal digits. */
export const NONCE = /^[0-9a-f]{32,128}$/;

/**
 * Returns the proof that the server knows the key: an HMAC-SHA256 in hexadecimal. It reveals nothing about the key.
 * @param address the server's end of the connection, so that a relay at another address cannot forward a proof
 */
export function greetingProof(key: string, nonce: string, address: string): string {
  return createHmac('sha256', key).update(`muster greeting\n${nonce}\n${address}`).digest('hex');
}

/** Returns the server's end of a connection, as the server sees it. */
export const serverAddressAtServer = ({ localAddress, localPort }: Socket): string =>
  `${plain(localAddress)} ${localPort}`;

/** Returns the server's end of a connection, as the client sees it. */
export const serverAddressAtClient = ({ remoteAddress, remotePort }: Socket): string =>
  `${plain(remoteAddress)} ${remotePort}`;

/** A socket that listens on `::` reports IPv4 addresses in IPv6 form. */
const plain = (address = ''): string => address.replace(/^::ffff:/, '');
