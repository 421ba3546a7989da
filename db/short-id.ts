/** A UUID as the 16 bytes that the large tables keep. */
export const toShortId = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

/** The UUID of 16 bytes, in lower case. */
export function fromShortId(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
