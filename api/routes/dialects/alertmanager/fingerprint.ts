/** FNV-1a of 64 bits, in two halves: a BigInt would be made for each byte. The prime is 2^40 + PRIME. */
const [OFFSET_HIGH, OFFSET_LOW] = [0xcbf29ce4, 0x84222325];
const PRIME = 0x1b3;
const TWO_32 = 2 ** 32;
/** Ends a name and a value. UTF-8 never has this byte. */
const END = 0xff;

/**
 * Returns the fingerprint of a set of labels, as Prometheus and Alertmanager compute it: a hash over names and values, in the order of the
 * names' bytes. So it is the `fingerprint` of Alertmanager's own webhooks.
 */
export function fingerprintOf(labels: Readonly<Record<string, string>>): string {
  let [high, low] = [OFFSET_HIGH, OFFSET_LOW];
  const add = (byte: number): void => {
    low = (low ^ byte) >>> 0;
    const product = low * PRIME;
    high = (high * PRIME + Math.floor(product / TWO_32) + ((low << 8) >>> 0)) >>> 0;
    low = product >>> 0;
  };
  for (const [name, value] of sortedByBytes(labels)) {
    for (const byte of name) add(byte);
    add(END);
    for (const byte of value) add(byte);
    add(END);
  }
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}

/** UTF-16, by which texts compare, has another order. */
const sortedByBytes = (labels: Readonly<Record<string, string>>): [Buffer, Buffer][] =>
  Object.entries(labels)
    .map(([name, value]): [Buffer, Buffer] => [Buffer.from(name), Buffer.from(value)])
    .sort(([one], [other]) => Buffer.compare(one, other));
