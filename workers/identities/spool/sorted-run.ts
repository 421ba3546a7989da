import { NO_EMAIL, PLACE_BYTES } from './row-layout.js';
import { sortRows } from './sort-rows.js';

const MAX_BYTES = 8 * 1024 * 1024;
/** Lengths, then 255 code points of identity and 254 of email with 4 bytes each. */
const MAX_FRAME_BYTES = 4 + 255 * 4 + 254 * 4;
/** Rows that a reader normally delivers at a time, at most. */
const BATCH_ROWS = 1_000;

/** The memory of a run. It can be moved to another thread. */
export interface RunMemory {
  bytes: Uint8Array<ArrayBuffer>;
  starts: Uint32Array<ArrayBuffer>;
  integrationIds: Float64Array<ArrayBuffer>;
  places: Uint32Array<ArrayBuffer>;
  rows: number;
  end: number;
}

/** Returns what to name in a message so that the memory is moved and not copied. */
export const transferOf = ({ bytes, starts, integrationIds, places }: RunMemory): ArrayBuffer[] =>
  [bytes, starts, integrationIds, places].map(({ buffer }) => buffer);

/**
 * A part of an upload, to be sorted by key. It is held in one buffer instead of a million objects. `row-layout.ts` describes the rows.
 */
export class SortedRun {
  readonly #bytes: Buffer;
  readonly #starts: Uint32Array<ArrayBuffer>;
  readonly #integrationIds: Float64Array<ArrayBuffer>;
  readonly #places: Uint32Array<ArrayBuffer>;
  #rows: number;
  #end: number;

  /** @param memory new, or of an earlier run with its rows */
  constructor(memory: RunMemory) {
    const { bytes, starts, integrationIds, places, rows, end } = memory;
    this.#bytes = Buffer.from(bytes.buffer);
    this.#starts = starts;
    this.#integrationIds = integrationIds;
    this.#places = places;
    this.#rows = rows;
    this.#end = end;
  }

  /** The memory with the rows. Once it has been moved, the run cannot be used any more. */
  get memory(): RunMemory {
    return {
      bytes: new Uint8Array(this.#bytes.buffer as ArrayBuffer),
      starts: this.#starts,
      integrationIds: this.#integrationIds,
      places: this.#places,
      rows: this.#rows,
      end: this.#end,
    };
  }

  get rows(): number {
    return this.#rows;
  }

  /** Whether there may be no room for another row. */
  get full(): boolean {
    return this.#rows === this.#places.length || this.#end + MAX_FRAME_BYTES > MAX_BYTES;
  }

  /** Whether the run may become full before another batch fits. */
  get nearlyFull(): boolean {
    return (
      this.#rows + BATCH_ROWS > this.#places.length || this.#end + BATCH_ROWS * MAX_FRAME_BYTES > MAX_BYTES
    );
  }

  /**
   * Adds a row. The run must not be full.
   * @param place line or index of the row, below 2^32; it is kept for messages
   */
  add(integrationId: number, identity: string, email: string | null, place: number): void {
    const bytes = this.#bytes;
    const start = this.#end;
    const identityLength = bytes.write(identity, start + 4);
    const emailLength = email === null ? NO_EMAIL : bytes.write(email, start + 4 + identityLength);
    bytes[start] = identityLength;
    bytes[start + 1] = identityLength >> 8;
    bytes[start + 2] = emailLength;
    bytes[start + 3] = emailLength >> 8;
    this.#integrationIds[this.#rows] = integrationId;
    this.#places[this.#rows] = place;
    this.#starts[this.#rows++] = start;
    this.#end = start + 4 + identityLength + (email === null ? 0 : emailLength);
  }

  /**
   * Yields the rows in the order of their keys, rows of one key as they were added, in pieces that share one buffer: a piece is
   * valid until the next one. The run is empty afterwards.
   */
  *drain(pieceBytes: number): Generator<Buffer> {
    const order = sortRows(this.#bytes, this.#starts, this.#integrationIds, this.#rows);
    this.#starts[this.#rows] = this.#end;
    const piece = Buffer.allocUnsafeSlow(pieceBytes);
    let end = 0;
    for (const row of order) {
      const from = this.#starts[row] as number;
      const to = this.#starts[row + 1] as number;
      if (end + PLACE_BYTES + 8 + (to - from) > pieceBytes) {
        yield piece.subarray(0, end);
        end = 0;
      }
      end = piece.writeUInt32LE(this.#places[row] as number, end);
      end = piece.writeDoubleLE(this.#integrationIds[row] as number, end);
      // For the 60 bytes of a typical row a loop is faster than a call of copy.
      for (let at = from; at < to; at++) piece[end++] = this.#bytes[at] as number;
    }
    yield piece.subarray(0, end);
    this.#rows = 0;
    this.#end = 0;
  }
}

/** Returns the memory of a run of up to so many rows, without any yet. */
export const newRunMemory = (rows: number): RunMemory => ({
  bytes: new Uint8Array(Buffer.allocUnsafeSlow(MAX_BYTES).buffer),
  starts: new Uint32Array(rows + 1),
  integrationIds: new Float64Array(rows),
  places: new Uint32Array(rows),
  rows: 0,
  end: 0,
});
