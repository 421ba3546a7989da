/** The first byte of a cell that is NULL. */
const NULL = 0xfb;

/** Where the text of a cell is in a packet. The end is also where the next cell starts. */
export interface CellPlace {
  start: number;
  end: number;
}

/**
 * Finds the text of the cell that starts at an offset of a row, as the server sends it: its length, then its text. A length below 251 is one
 * byte; 0xfc comes before a length of two bytes, 0xfd of three, 0xfe of eight.
 * @param place is set to the place of the text, which is empty for NULL
 */
export function findCell(packet: Buffer, offset: number, place: CellPlace): void {
  const first = packet[offset] as number;
  if (first <= NULL) {
    place.start = offset + 1;
    place.end = first === NULL ? place.start : place.start + first;
    return;
  }
  const bytes = first === 0xfc ? 2 : first === 0xfd ? 3 : 8;
  place.start = offset + 1 + bytes;
  // A packet is far below 2^48 bytes, which is as much as Node reads at once.
  place.end = place.start + packet.readUIntLE(offset + 1, Math.min(bytes, 6));
}
