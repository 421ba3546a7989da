import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  CHANGE_OUTCOMES,
  type ChangesKind,
  type ChangesPart,
  type IdentityChange,
} from '../../../db/identities/import-changes.js';
import { toLine } from './change-rows.js';

const compress = promisify(gzip);

/**
 * Higher levels take three times as long and save a tenth. The smaller window and tables save memory and a twentieth of the bytes, and
 * are as fast. A compressed part fits into one block of output.
 */
const OPTIONS = { level: 1, windowBits: 13, memLevel: 7, chunkSize: 64 * 1024 };

/**
 * Encodes the changes of a chunk as parts of its changes file, and the rows that a revert skipped, or that have a conflict, as parts of files of their own. The event loop
 * runs other work before each part, so the database executes the chunk's statements while the texts are made.
 */
export async function encodeChanges(changes: readonly IdentityChange[]): Promise<ChangesPart[]> {
  const parts: Promise<ChangesPart>[] = [];
  await yieldToOthers();
  for (const part of cutFiles(changes)) {
    // Awaited below. If another part fails first, nobody needs this one.
    part.catch(() => {});
    parts.push(part);
    await yieldToOthers();
  }
  return Promise.all(parts);
}

function* cutFiles(changes: readonly IdentityChange[]): Generator<Promise<ChangesPart>> {
  const skipped = changes.filter(({ outcome }) => outcome === 'skipped');
  const conflicts = changes.filter(({ outcome }) => outcome === 'conflict');
  const isOther = ({ outcome }: IdentityChange) => outcome !== 'skipped' && outcome !== 'conflict';
  const others = skipped.length + conflicts.length === 0 ? changes : changes.filter(isOther);
  yield* cut('changes', others);
  yield* cut('skipped', skipped);
  yield* cut('conflicts', conflicts);
}

/** Yields the parts of a file, which are compressed in other threads. */
function* cut(kind: ChangesKind, changes: readonly IdentityChange[]): Generator<Promise<ChangesPart>> {
  let text = new PartText();
  for (const change of changes) {
    if (text.add(change)) continue;
    yield toPart(kind, text);
    text = new PartText();
    if (!text.add(change)) throw new Error('a line is longer than a part');
  }
  if (text.length > 0) yield toPart(kind, text);
}

async function toPart(kind: ChangesKind, text: PartText): Promise<ChangesPart> {
  const { length: textBytes, escapes } = text;
  return { kind, content: await compress(text.copy(), OPTIONS), textBytes, escapes };
}

/**
 * The most bytes of a part before compression. A download holds one part in memory; smaller ones compress less, and a
 * larger one could exceed the largest packet that a database accepts.
 */
const PART_BYTES = 128 * 1024;
/** More than two numbers, an outcome, the commas and the line feed take. */
const OTHER_BYTES = 64;

const [COMMA, LINE_FEED, ZERO] = [0x2c, 0x0a, 0x30];
/** The most bytes that a UTF-16 unit takes in UTF-8. */
const UNIT_BYTES = 3;

/** Which bytes a plain cell contains, and which ones it starts with: the others need quotes or may start a formula. */
const CONTAINED = bytesExcept('",\r\n');
const LEADING = bytesExcept('",\r\n\'=+-@|＝');

/** Returns 0 for the first byte of each of these characters, and 1 for all others. */
function bytesExcept(special: string): Uint8Array {
  const bytes = new Uint8Array(256).fill(1);
  for (const character of special) bytes[Buffer.from(character)[0] ?? 0] = 0;
  return bytes;
}

const OUTCOMES = new Map(CHANGE_OUTCOMES.map((outcome) => [outcome, Buffer.from(outcome)]));

/** One part is filled at a time, and copied when it is complete. */
const bytes = Buffer.allocUnsafe(PART_BYTES);

/**
 * The text of the part that is being filled. Lines with plain cells, which most are, are written in place: that takes half the
 * time of making a text for each line. The runtime writes a cell and its bytes are checked afterwards, because a loop over the
 * characters of strings of all kinds takes four times as long (480 instead of 120 ns for 36 characters).
 */
class PartText {
  #length = 0;
  #escapes = 0;

  get length(): number {
    return this.#length;
  }

  /** The bytes that escaping formulas would add. */
  get escapes(): number {
    return this.#escapes;
  }

  /** Returns a copy of the text. */
  copy(): Buffer {
    return Buffer.from(bytes.subarray(0, this.#length));
  }

  /** Adds a line. Returns false, and adds nothing, if the part has no room for it. */
  add(change: IdentityChange): boolean {
    const start = this.#length;
    const { identity, before, after } = change;
    const cells = identity.length + (before?.length ?? 0) + (after?.length ?? 0);
    if (start + UNIT_BYTES * cells + OTHER_BYTES > PART_BYTES) return false;
    if (this.#addPlain(change)) return true;
    this.#length = start;
    return this.#addOther(change);
  }

  /** Returns false if a cell is not plain. What has been added is then meaningless. */
  #addPlain({ integrationId, identity, before, after, outcome, place }: IdentityChange): boolean {
    // It has another column.
    if (outcome === 'conflict') return false;
    this.#number(integrationId);
    this.#end(COMMA);
    if (!(this.#cell(identity) && this.#cell(before) && this.#cell(after))) return false;
    this.#copy(OUTCOMES.get(outcome) as Buffer);
    this.#end(COMMA);
    if (place !== null) this.#number(place);
    this.#end(LINE_FEED);
    return true;
  }

  #addOther(change: IdentityChange): boolean {
    const { line, escapes } = toLine(change);
    if (this.#length + Buffer.byteLength(line) > PART_BYTES) return false;
    this.#length += bytes.write(line, this.#length);
    this.#escapes += escapes;
    return true;
  }

  #cell(text: string | null): boolean {
    if (text !== null && text !== '') {
      const start = this.#length;
      const end = start + bytes.write(text, start);
      if (LEADING[bytes[start] as number] === 0) return false;
      for (let at = start + 1; at < end; at++) if (CONTAINED[bytes[at] as number] === 0) return false;
      this.#length = end;
    }
    this.#end(COMMA);
    return true;
  }

  #copy(from: Buffer): void {
    for (let i = 0; i < from.length; i++) bytes[this.#length++] = from[i] as number;
  }

  /** Writes the digits from the last to the first. The numbers may exceed 32 bits. */
  #number(value: number): void {
    this.#length += digitsOf(value);
    let at = this.#length;
    let rest = value;
    do {
      const tens = Math.floor(rest / 10);
      bytes[--at] = ZERO + (rest - tens * 10);
      rest = tens;
    } while (rest > 0);
  }

  #end(separator: number): void {
    bytes[this.#length++] = separator;
  }
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let limit = 10; value >= limit; limit *= 10) digits += 1;
  return digits;
}
