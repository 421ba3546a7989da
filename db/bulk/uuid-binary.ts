/** What each hexadecimal digit stands for, by its character code; -1 for any other ASCII character. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
);
const [DASH, LAST_ASCII] = [0x2d, 0x7f];
const [BYTES, TEXT_LENGTH] = [16, 36];
/** Where the two digits of each byte begin in the text. */
const PLACES = Uint8Array.of(0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34);

/** A UUID as the 16 bytes that the large tables keep; fewer or more bytes when it is none. */
export function toUuidBinary(uuid: string): Buffer {
  const id = Buffer.allocUnsafe(BYTES);
  return writeUuidBinary(id, 0, uuid) ? id : Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

/**
 * Writes the 16 bytes of a UUID there; answers whether it is one, with its dashes. By a new text and a copy an id took a
 * twentieth of an event's time, and through calls for each digit as much.
 */
export function writeUuidBinary(target: Buffer, start: number, uuid: string): boolean {
  if (uuid.length !== TEXT_LENGTH || !hasDashes(uuid)) return false;
  let codes = 0;
  let digits = 0;
  for (let i = 0; i < BYTES; i++) {
    const at = PLACES[i] as number;
    const first = uuid.charCodeAt(at);
    const second = uuid.charCodeAt(at + 1);
    const high = DIGITS[first & LAST_ASCII] as number;
    const low = DIGITS[second & LAST_ASCII] as number;
    codes |= first | second;
    digits |= high | low;
    target[start + i] = (high << 4) | low;
  }
  return codes <= LAST_ASCII && digits >= 0;
}

const hasDashes = (uuid: string): boolean =>
  uuid.charCodeAt(8) === DASH &&
  uuid.charCodeAt(13) === DASH &&
  uuid.charCodeAt(18) === DASH &&
  uuid.charCodeAt(23) === DASH;

/** The UUID of 16 bytes, in lower case. */
export function fromUuidBinary(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
