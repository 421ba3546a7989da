import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';

export const ADDRESS_PARTS = ['full', 'network', 'none'] as const;

/** How the address of a client is found and stored. */
export interface ClientAddress {
  /** Proxies in front of the API, each of which appends the address that it sees to `X-Forwarded-For`. */
  proxyHops: number;
  /** `network`: an IPv4 address without its last byte (/24), and the first 48 bits of an IPv6 address. */
  auditAddress: (typeof ADDRESS_PARTS)[number];
}

/** Returns the address of a client as the audit log stores it; null if it stores none. */
export function shortenAddress(
  req: IncomingMessage,
  { proxyHops, auditAddress }: ClientAddress,
): string | null {
  const address = auditAddress === 'none' ? null : clientAddress(req, proxyHops);
  return address && auditAddress === 'network' ? networkOf(address) : address;
}

/**
 * Returns the IP address of a client; null if a proxy has sent none. Only the addresses that the proxies of the deployment have appended are
 * believed, because a client can send any others.
 */
export function clientAddress({ headers, socket }: IncomingMessage, proxyHops: number): string | null {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  const text = proxyHops === 0 ? (socket.remoteAddress ?? '') : (forwarded.at(-proxyHops) ?? '').trim();
  // An IPv4 client of a socket that takes both, and an IPv6 address with a zone.
  const [address = ''] = text.replace(/^::ffff:(?=\d+\.)/i, '').split('%');
  return isIPv4(address) || isIPv6(address) ? address.toLowerCase() : null;
}

function networkOf(address: string): string {
  if (isIPv4(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  // The first three groups: `::` stands for the groups that are left out.
  const [start = '', end] = address.split('::');
  const first = start === '' ? [] : start.split(':');
  const last = end ? end.split(':') : [];
  const groups =
    end === undefined ? first : [...first, ...Array(8 - first.length - last.length).fill('0'), ...last];
  return `${groups.slice(0, 3).join(':')}::/48`;
}
