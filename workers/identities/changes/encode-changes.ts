import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ChangesKind, ChangesPart, IdentityChange } from '../../../db/identities/import-changes.js';
import { toLine } from './change-rows.js';

const compress = promisify(gzip);

/**
 * Approximate size of a part before compression. A download holds one part in memory; smaller ones compress less, and a
 * larger one could exceed the largest packet that a database accepts.
 */
const PART_BYTES = 128 * 1024;

/** Higher levels take three times as long and save a tenth. */
const LEVEL = 1;

/** Encodes the changes of a chunk as parts of its changes file, and the rows that a revert skipped as parts of their own file. */
export async function encodeChanges(changes: readonly IdentityChange[]): Promise<ChangesPart[]> {
  const skipped = changes.filter(({ outcome }) => outcome === 'skipped');
  const others = skipped.length === 0 ? changes : changes.filter(({ outcome }) => outcome !== 'skipped');
  const parts = await Promise.all([...cut('changes', others), ...cut('skipped', skipped)]);
  return parts;
}

/** Yields the parts of a file, which are compressed in other threads. */
function* cut(kind: ChangesKind, changes: readonly IdentityChange[]): Generator<Promise<ChangesPart>> {
  let text = '';
  let escapes = 0;
  for (const change of changes) {
    const encoded = toLine(change);
    text += encoded.line;
    escapes += encoded.escapes;
    if (text.length < PART_BYTES) continue;
    yield toPart(kind, text, escapes);
    text = '';
    escapes = 0;
  }
  if (text !== '') yield toPart(kind, text, escapes);
}

async function toPart(kind: ChangesKind, text: string, escapes: number): Promise<ChangesPart> {
  const bytes = Buffer.from(text);
  return { kind, content: await compress(bytes, { level: LEVEL }), textBytes: bytes.length, escapes };
}
