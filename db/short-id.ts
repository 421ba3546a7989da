/** What each hexadecimal digit stands for, by its character code; -1 for any other ASCII character. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
);
const DASH = 0x2d;

/** A UUID as the 16 bytes that the large tables keep; fewer or more bytes when it is none. */
export function toShortId(uuid: string): Buffer {
  const id = Buffer.allocUnsafe(16);
  let length = 0;
  for (let at = 0; at < uuid.length; at += 2) {
    if (uuid.charCodeAt(at) === DASH) at += 1;
    const byte = byteAt(uuid, at);
    if (byte < 0 || length === 16) return throughText(uuid);
    id[length++] = byte;
  }
  return length === 16 ? id : throughText(uuid);
}

/** Negative when there are no two digits. */
function byteAt(text: string, at: number): number {
  const high = DIGITS[text.charCodeAt(at)] ?? -1;
  const low = DIGITS[text.charCodeAt(at + 1)] ?? -1;
  return low < 0 ? -1 : high * 16 + low;
}

/** The same for any text; a new text and a copy for each id were a twentieth of what an event cost a worker. */
const throughText = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

/** The UUID of 16 bytes, in lower case. */
export function fromShortId(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
