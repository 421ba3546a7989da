import ipaddr from 'ipaddr.js';

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
