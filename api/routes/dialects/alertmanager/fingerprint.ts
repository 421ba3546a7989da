/** FNV-1a of 64 bits, in two halves of integers: a BigInt would be made for each byte. The prime is 2^40 + PRIME. */
const [OFFSET_HIGH, OFFSET_LOW] = [0xcbf29ce4 | 0, 0x84222325 | 0];
const PRIME = 0x1b3;
/** Ends a name and a value. UTF-8 never has this byte. */
const END = '\xff';
const ASCII = /^[\0-\x7f]*$/;

/** Names and values. */
export type Pairs = readonly (readonly [name: string, value: string])[];

/**
 * Returns the fingerprint of labels, as Prometheus and Alertmanager compute it: a hash over names and values, in the order of the
 * names' bytes. So it is the `fingerprint` of Alertmanager's own webhooks.
 * @param labels sorted by {@link sortedPairs}
 */
export function fingerprintOfPairs(labels: Pairs): string {
  let [high, low] = [OFFSET_HIGH, OFFSET_LOW];
  let text = '';
  for (const [name, value] of labels) text += bytesOf(name) + END + bytesOf(value) + END;
  for (let at = 0; at < text.length; at++) {
    low ^= text.charCodeAt(at);
    const lower = (low & 0xffff) * PRIME;
    const upper = (low >>> 16) * PRIME + (lower >>> 16);
    high = (Math.imul(high, PRIME) + (upper >>> 16) + (low << 8)) | 0;
    low = (upper << 16) | (lower & 0xffff);
  }
  return hex(high) + hex(low);
}

const hex = (half: number): string => (half >>> 0).toString(16).padStart(8, '0');

/** Returns the fingerprint of labels in any order. */
export const fingerprintOf = (labels: Readonly<Record<string, string>>): string =>
  fingerprintOfPairs(sortedPairs(Object.entries(labels)));

/** Returns names and values in the order of the names' bytes. UTF-16, by which texts compare, has another order beyond ASCII. */
export const sortedPairs = (pairs: Pairs): Pairs =>
  pairs.every(([name]) => ASCII.test(name))
    ? [...pairs].sort(([one], [other]) => (one < other ? -1 : 1))
    : [...pairs].sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)));

/** Returns the bytes of a text as characters. Most texts have them already. */
const bytesOf = (text: string): string => (ASCII.test(text) ? text : Buffer.from(text).toString('latin1'));
