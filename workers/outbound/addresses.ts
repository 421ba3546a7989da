import ipaddr from 'ipaddr.js';

/**
 * What an address belongs to: `public` is the internet. `private` is a network of the operator, or a reserved range. `forbidden`
 * is this host itself, its link, the metadata service of a cloud, or no single host: hardly ever meant, and dangerous if reached.
 */
export type AddressKind = 'public' | 'private' | 'forbidden';

const FORBIDDEN_RANGES: readonly string[] = [
  'loopback',
  'linkLocal',
  'multicast',
  'broadcast',
  'unspecified',
];

/** Metadata services outside 169.254.0.0/16: of AWS and Google over IPv6, Alibaba, Oracle, and Azure. */
const METADATA: readonly string[] = [
  'fd00:ec2::254',
  'fd20:ce::254',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
];

/** Of IPv6, only this range has been given to the internet. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');

/** Returns what an address belongs to. A text that is not an IP address is `forbidden`. */
export function addressKind(address: string): AddressKind {
  if (!ipaddr.isValid(address)) return 'forbidden';
  const parsed = ipaddr.parse(address);
  if (FORBIDDEN_RANGES.includes(parsed.range()) || METADATA.includes(parsed.toString())) return 'forbidden';
  const inner = embeddedIpv4(parsed);
  if (!inner) return isInternet(parsed) ? 'public' : 'private';
  const kind = addressKind(inner.toString());
  // 6to4, Teredo and the like need relays that the internet no longer has.
  return kind === 'public' && !leadsTo(parsed) ? 'private' : kind;
}

/** Returns whether an address belongs to the public internet. A text that is not an IP address does not. */
export const isPublicAddress = (address: string): boolean => addressKind(address) === 'public';

/** Returns the address in its shortest form, or the IPv4 address that it embeds: `::ffff:a00:1` is 10.0.0.1. */
export function unmapped(address: string): string {
  const parsed = ipaddr.parse(address);
  return (embeddedIpv4(parsed) ?? parsed).toString();
}

const isInternet = (ip: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  ip.range() === 'unicast' && (ip.kind() === 'ipv4' || ip.match(GLOBAL_UNICAST));

/** Returns whether a connection to an IPv6 address reaches the IPv4 address in it. */
const leadsTo = (ip: ipaddr.IPv4 | ipaddr.IPv6): boolean => ip.range() === 'ipv4Mapped' || ip.match(NAT64);

const LAST_FOUR = 12;

/** Returns the IPv4 address that an IPv6 address contains: mapped, compatible, NAT64 (RFC 6052), 6to4 or Teredo. */
function embeddedIpv4(ip: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (ip.kind() === 'ipv4') return null;
  const bytes = ip.toByteArray();
  const last = bytes.slice(LAST_FOUR);
  switch (ip.range()) {
    case 'ipv4Mapped':
    case 'rfc6145':
    case 'rfc6052':
      return ipaddr.fromByteArray(last);
    case '6to4':
      return ipaddr.fromByteArray(bytes.slice(2, 6));
    case 'teredo':
      return ipaddr.fromByteArray(last.map((byte) => byte ^ 0xff));
    case 'unicast':
      return bytes.slice(0, LAST_FOUR).every((byte) => byte === 0) ? ipaddr.fromByteArray(last) : null;
    default:
      return null;
  }
}
