import { createHash } from 'node:crypto';
import type { ChunkContent } from '../../db/import-chunks.js';
import type { Assertion } from '../../db/write-identities.js';

/** A row of an upload and the line (or, of JSON, the place) where it stands. */
export interface PlacedRow extends Assertion {
  line: number;
}

export interface Chunk extends ChunkContent {
  number: number;
  /** Sorted by key; rows of the same key in the order of the upload. */
  rows: PlacedRow[];
}

/**
 * One of the strict sequences that an import is written in. A key is always in the same lane, and a lane writes chunk
 * n + 1 only when n is committed: so rows of one key are applied in the order of the upload.
 */
export class Lane {
  readonly #chunkRows: number;
  readonly #write: (chunk: Chunk) => Promise<void>;
  #rows: PlacedRow[] = [];
  #number = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(chunkRows: number, write: (chunk: Chunk) => Promise<void>) {
    this.#chunkRows = chunkRows;
    this.#write = write;
  }

  /** Adds a row. When a chunk is full it is handed on as soon as the one before is written. */
  async add(row: PlacedRow): Promise<void> {
    this.#rows.push(row);
    if (this.#rows.length >= this.#chunkRows) await this.#flush();
  }

  /** Writes what is left; resolves when all is written. */
  async end(): Promise<void> {
    if (this.#rows.length > 0) await this.#flush();
    await this.#writing;
  }

  async #flush(): Promise<void> {
    const chunk = toChunk(this.#number++, this.#rows);
    this.#rows = [];
    await this.#writing;
    this.#writing = this.#write(chunk);
    // Its failure is met by whoever waits next; until then it must not count as unhandled.
    this.#writing.catch(() => {});
  }
}

function toChunk(number: number, rows: PlacedRow[]): Chunk {
  const hash = createHash('sha1');
  for (const { integrationId, identity, email } of rows)
    hash.update(`${integrationId}\n${identity}\n${email}\n`);
  const content = {
    firstLine: rows[0]?.line ?? 0,
    lastLine: rows.at(-1)?.line ?? 0,
    checksum: hash.digest().subarray(0, 8),
  };
  return { ...content, number, rows: rows.sort(byKey) };
}

/** Array.sort is stable, so rows of one key keep their order. */
function byKey(a: PlacedRow, b: PlacedRow): number {
  if (a.integrationId !== b.integrationId) return a.integrationId - b.integrationId;
  return a.identity < b.identity ? -1 : a.identity > b.identity ? 1 : 0;
}

/** FNV-1a over the key: which of `lanes` lanes a row goes to. Part of the plan: see `PLAN_VERSION`. */
export function laneOf(integrationId: number, identity: string, lanes: number): number {
  let hash = 0x811c9dc5 ^ integrationId;
  for (let i = 0; i < identity.length; i++) hash = Math.imul(hash ^ identity.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % lanes;
}
