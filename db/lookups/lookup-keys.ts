import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** How the keys of a table are compared with the key that is looked up. */
export const MATCHINGS = ['exact', 'caseInsensitive', 'prefix', 'cidr', 'glob'] as const;
export type Matching = (typeof MATCHINGS)[number];

/** Characters of a row's key. */
export const MAX_KEY = 500;

/** What of a revision decides which row a key finds. */
export interface KeyRules {
  matching: Matching;
  /** The lengths of all keys, the longest first, if a key that is looked up may be longer than the one that it finds: see {@link lengthOfKey}. */
  lengths: readonly number[];
}

/** Returns the values of the key columns as one key: the value itself, or of several the text of a JSON array. */
export function keyOf(values: readonly string[]): string {
  const [value = '', ...others] = values;
  return others.length === 0 ? value : JSON.stringify(values.map((one) => one.trim()));
}

/** Returns the hash by which a row is stored; null if its key cannot be one of such a table. */
export function hashOfKey(matching: Matching, key: string): Buffer | null {
  const normal = normalForm(matching, key);
  return normal === null ? null : hashOf(normal);
}

/** Returns the length of a row's key as the table's `lengths` has it: in characters, or of a network its prefix, plus 1,000 times 4 or 6. */
export function lengthOfKey(matching: Matching, key: string): number | null {
  if (matching === 'prefix') return key.normalize('NFC').length;
  const network = matching === 'cidr' ? parseNetwork(key) : null;
  return network && 1_000 * network.version + network.length;
}

/** Returns the hashes of all keys that would match a key, the best first. There are at most as many as the table has lengths. A pattern matches itself. */
export function hashesOfMatches({ matching, lengths }: KeyRules, key: string): Buffer[] {
  if (matching === 'prefix') {
    const text = key.normalize('NFC');
    return lengths.filter((length) => length <= text.length).map((length) => hashOf(text.slice(0, length)));
  }
  if (matching === 'cidr') {
    const network = parseNetwork(key);
    if (!network) return [];
    const least = 1_000 * network.version;
    const own = lengths.filter((length) => length >= least && length <= least + network.length);
    return own.map((length) => hashOf(networkText({ ...network, length: length - least })));
  }
  const own = hashOfKey(matching, key);
  return own ? [own] : [];
}

const hashOf = (normal: string): Buffer => hash('sha256', normal, 'buffer').subarray(0, 16);

function normalForm(matching: Matching, key: string): string | null {
  if (matching === 'prefix') return key.normalize('NFC');
  if (matching === 'caseInsensitive') return key.trim().toLowerCase().normalize('NFC');
  if (matching !== 'cidr') return key.trim().normalize('NFC');
  const network = parseNetwork(key);
  return network && networkText(network);
}

interface Network {
  version: 4 | 6;
  /** Bits of its prefix. */
  length: number;
  bytes: readonly number[];
}

const MAPPED_BITS = 96;

/** Reads an address or a network in CIDR notation. An IPv4 address that is mapped into IPv6 is the IPv4 address. */
function parseNetwork(key: string): Network | null {
  const [, address = '', bits] = /^([0-9a-fA-F:.]+)(?:\/(\d{1,3}))?$/.exec(key.trim()) ?? [];
  if (isIP(address) === 0) return null;
  // `ipaddr.js` would take `::1.2.3.4` for a mapped IPv4 address, which is `::ffff:1.2.3.4`.
  const parsed = ipaddr.parse(address.replace(/^::(?=\d+\.)/, '0:0:0:0:0:0:'));
  const most = parsed.kind() === 'ipv4' ? 32 : 128;
  const length = bits === undefined ? most : Number(bits);
  if (length > most) return null;
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && length >= MAPPED_BITS)
    return { version: 4, length: length - MAPPED_BITS, bytes: parsed.toIPv4Address().toByteArray() };
  return { version: most === 32 ? 4 : 6, length, bytes: parsed.toByteArray() };
}

/** Returns a network as a text without the bits of hosts: networks that are written in different ways are one. */
function networkText({ version, length, bytes }: Network): string {
  const masked = bytes.map((byte, at) => byte & (0xff00 >> Math.min(Math.max(length - 8 * at, 0), 8)) & 0xff);
  return `${version}/${length}/${Buffer.from(masked).toString('hex')}`;
}
