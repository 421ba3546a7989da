/** The value of each hexadecimal digit by character code; -1 for any other ASCII character. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
);
const [DASH, LAST_ASCII] = [0x2d, 0x7f];
export const UUID_BYTES = 16;
const TEXT_LENGTH = 36;
/** The index in the text at which the two digits of each byte start. */
const OFFSETS = Uint8Array.of(0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34);

/** Returns a UUID as the 16 bytes that the large tables store. Any other text gives fewer or more bytes, so no row has them. */
export function toUuidBinary(uuid: string): Buffer {
  const id = Buffer.allocUnsafe(UUID_BYTES);
  return writeUuidBinary(id, 0, uuid) ? id : Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

/**
 * Writes the 16 bytes of a UUID. Returns false if the text is not a UUID with dashes; what was written is then meaningless.
 * Removing the dashes into a new text took a twentieth of an event's time, and a function call for each digit as much.
 */
export function writeUuidBinary(target: Buffer, start: number, uuid: string): boolean {
  if (uuid.length !== TEXT_LENGTH || !hasDashes(uuid)) return false;
  let codes = 0;
  let digits = 0;
  for (let i = 0; i < UUID_BYTES; i++) {
    const at = OFFSETS[i] as number;
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

const HEX = Buffer.from('0123456789abcdef');
/** The text of the next UUID. Its dashes stay. */
const TEXT = Buffer.alloc(TEXT_LENGTH, '-');

/** Returns 16 bytes as a UUID in lower case. Joining parts of a text with all digits takes 0.5 µs instead of 0.3. */
export function fromUuidBinary(bytes: Buffer): string {
  for (let i = 0; i < UUID_BYTES; i++) {
    const at = OFFSETS[i] as number;
    const byte = bytes[i] as number;
    TEXT[at] = HEX[byte >> 4] as number;
    TEXT[at + 1] = HEX[byte & 0xf] as number;
  }
  return TEXT.toString('latin1');
}
