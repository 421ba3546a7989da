/** Byte order marks and their encodings. That of UTF-32 begins like one of UTF-16. */
const MARKS = [
  { encoding: 'utf-32le', bytes: [0xff, 0xfe, 0x00, 0x00] },
  { encoding: 'utf-32be', bytes: [0x00, 0x00, 0xfe, 0xff] },
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const;
/** The least first byte of a byte order mark, besides 0. */
const FIRST = 0xef;

export interface ByteOrderMark {
  encoding: (typeof MARKS)[number]['encoding'];
  length: number;
}

/** Returns the byte order mark at the start of a text, or null. */
export function byteOrderMark(head: Buffer): ByteOrderMark | null {
  const first = head[0] ?? 1;
  if (first !== 0 && first < FIRST) return null;
  const found = MARKS.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte));
  return found ? { encoding: found.encoding, length: found.bytes.length } : null;
}
