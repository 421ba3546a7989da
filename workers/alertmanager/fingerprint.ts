/** FNV-1a of 64 bits, in two halves of integers: a BigInt would be made for each byte. The prime is 2^40 + PRIME. */
const [OFFSET_HIGH, OFFSET_LOW] = [0xcbf29ce4 | 0, 0x84222325 | 0];
const PRIME = 0x1b3;
/** Ends a name and a value. UTF-8 never has this byte. */
const END = '\xff';
const ASCII = /^[\0-\x7f]*$/;

/** Names and values: labels or annotations. */
export type Texts = Readonly<Record<string, string>>;

/**
 * Returns the fingerprint of labels, as Prometheus and Alertmanager compute it: a hash over names and values, in the order of the
 * names' bytes. So it is the `fingerprint` of Alertmanager's own webhooks.
 */
export const fingerprintOf = (labels: Texts): string => fingerprintOfBytes(sortedBytes(labels));

/** @param bytes what {@link sortedBytes} returns for the labels */
export function fingerprintOfBytes(bytes: string): string {
  let [high, low] = [OFFSET_HIGH, OFFSET_LOW];
  for (let at = 0; at < bytes.length; at++) {
    low ^= bytes.charCodeAt(at);
    const lower = (low & 0xffff) * PRIME;
    const upper = (low >>> 16) * PRIME + (lower >>> 16);
    high = (Math.imul(high, PRIME) + (upper >>> 16) + (low << 8)) | 0;
    low = (upper << 16) | (lower & 0xffff);
  }
  return hex(high) + hex(low);
}

const hex = (half: number): string => (half >>> 0).toString(16).padStart(8, '0');

/** Returns the bytes of names and values as the characters of a text, in the order of the names' bytes. */
export function sortedBytes(texts: Texts): string {
  const names = Object.keys(texts);
  // Beyond ASCII, UTF-16, by which texts compare, has another order. Most senders have sorted the names.
  if (!names.every((name) => ASCII.test(name))) {
    const bytes = new Map(names.map((name) => [name, bytesOf(name)]));
    names.sort((one, other) => ((bytes.get(one) ?? '') < (bytes.get(other) ?? '') ? -1 : 1));
  } else if (names.some((name, index) => index > 0 && name < (names[index - 1] ?? ''))) names.sort();
  let bytes = '';
  for (const name of names) bytes += bytesOf(name) + END + bytesOf(texts[name] ?? '') + END;
  return bytes;
}

/** Most texts are their bytes already. */
const bytesOf = (text: string): string => (ASCII.test(text) ? text : Buffer.from(text).toString('latin1'));
