import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** How outgoing requests reach other hosts. Tests replace it to reach a server of their own. */
export interface Network {
  /** Resolves a host to all of its addresses. */
  resolve(host: string): Promise<ResolvedAddress[]>;
  /** Returns whether a request may connect to this address. */
  isAllowed(address: string): boolean;
  port: number;
  /** PEM of the certificate authorities to trust. Undefined: those of Node. */
  ca?: string;
}

/** The internet without private networks. */
export const INTERNET: Network = {
  resolve: (host) => lookup(host, { all: true }),
  isAllowed: isPublicAddress,
  port: 443,
};

/** The prefix length of an IPv6 address that stands for an IPv4 address behind NAT64 (RFC 6052), in bytes. */
const NAT64_PREFIX_BYTES = 12;

/**
 * Returns whether an address belongs to the public internet. Loopback, private, link-local, shared, multicast, reserved and
 * documentation ranges do not, nor does any text that is not an IP address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // Converts an IPv4 address in IPv6 form (`::ffff:10.0.0.1`), which would otherwise hide a private address.
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'rfc6052') return parsed.range() === 'unicast';
  return ipaddr.fromByteArray(parsed.toByteArray().slice(NAT64_PREFIX_BYTES)).range() === 'unicast';
}
