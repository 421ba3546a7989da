import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ChangesKind, ChangesPart, IdentityChange } from '../../../db/identities/import-changes.js';
import { PartText } from './part-text.js';

const compress = promisify(gzip);

/**
 * Higher levels take three times as long and save a tenth. The smaller window and tables save memory and a twentieth of the bytes, and
 * are as fast. A compressed part fits into one block of output.
 */
const OPTIONS = { level: 1, windowBits: 13, memLevel: 7, chunkSize: 64 * 1024 };

/**
 * Encodes the changes of a chunk as parts of its changes file, and the rows that a revert skipped as parts of their own file. The event loop
 * runs other work before each part, so the database executes the chunk's statements while the texts are made.
 */
export async function encodeChanges(changes: readonly IdentityChange[]): Promise<ChangesPart[]> {
  const parts: Promise<ChangesPart>[] = [];
  await yieldToOthers();
  for (const part of cutBoth(changes)) {
    // Awaited below. If another part fails first, nobody needs this one.
    part.catch(() => {});
    parts.push(part);
    await yieldToOthers();
  }
  return Promise.all(parts);
}

function* cutBoth(changes: readonly IdentityChange[]): Generator<Promise<ChangesPart>> {
  const skipped = changes.filter(({ outcome }) => outcome === 'skipped');
  const others = skipped.length === 0 ? changes : changes.filter(({ outcome }) => outcome !== 'skipped');
  yield* cut('changes', others);
  yield* cut('skipped', skipped);
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
