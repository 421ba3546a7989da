import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Database } from '../../db/client/connect.js';
import {
  type FedChange,
  type FeedPart,
  type FeedRange,
  readChangedAt,
  readFeedParts,
  readFeedRange,
} from '../../db/identities/identity-feed.js';
import { readChanges } from '../../workers/identities/changes/change-rows.js';
import { gone } from '../http/errors.js';

const decompress = promisify(gunzip);

/** Where a page starts: at a row of a part. */
export interface FeedPlace {
  position: number;
  /** How many rows of the part come before. */
  row: number;
  /**
   * When the last part with a row before this place was stored; null if that is unknown. Another database, or this one after a backup was restored or
   * a server took over that lacked the last commits, has another part there.
   */
  after: string | null;
}

export interface FeedPage {
  changes: FedChange[];
  /** Where the next page starts. */
  next: FeedPlace;
  /** Whether there was more to read when this page was read. */
  hasMore: boolean;
}

interface PageRequest {
  /** `oldest`: the oldest change that is kept. `now`: after the newest. */
  from: FeedPlace | 'oldest' | 'now';
  /** Only changes in this account system. */
  integrationId?: number | undefined;
  /** The most changes. A page may have fewer although there are more. */
  limit: number;
  /** Knows whether a place that `database` does not have yet exists, because that may be a replica. */
  primary: Database;
  /** The deadline of each query, in milliseconds. */
  withinMs: number;
}

/** A page ends after so many bytes of text that were read for it, if it has a change; without one, after 8 times as many. */
const PAGE_BYTES = 1024 * 1024;
const EMPTY_PAGE_BYTES = 8 * PAGE_BYTES;
/** Large parts have 128 KiB of text. A small upload is one part too, so more of them are read at a time. */
const [FEW_PARTS, MANY_PARTS, SMALL_PART_BYTES] = [4, 200, 4 * 1024];
/** A page of many small parts ends after so many. */
const PAGE_PARTS = 2_000;

/**
 * Reads a page of the feed.
 * @throws RequestError 410 `cursor_expired` if changes that follow the place are not stored, or the place is not one of this feed
 */
export async function readFeedPage(database: Database, request: PageRequest): Promise<FeedPage> {
  const { limit, withinMs } = request;
  const range = await readFeedRange(database, withinMs);
  const page = new GrowingPage(request, await startOf(database, request, range));
  for (let parts = FEW_PARTS; page.goesOn; parts = page.isOfSmallParts ? MANY_PARTS : FEW_PARTS) {
    const { position } = page.next;
    const read = await readFeedParts(database, position, { limit: Math.min(parts, limit), withinMs });
    if (read.length === 0 && position <= range.last) throw cursorExpired();
    for (const part of read) if (page.goesOn) await page.add(part);
    if (read.length < Math.min(parts, limit)) break;
  }
  const { changes, next } = page;
  return { changes, next, hasMore: next.row > 0 || next.position <= range.last };
}

async function startOf(
  database: Database,
  { from, primary, withinMs }: PageRequest,
  range: FeedRange,
): Promise<FeedPlace> {
  if (from === 'oldest') return { position: range.completeAfter + 1, row: 0, after: null };
  const position = from === 'now' ? range.last : lastBefore(from);
  const after = await readChangedAt(database, position, withinMs);
  if (from === 'now') return { position: position + 1, row: 0, after };
  if (position > range.last && position > (await readFeedRange(primary, withinMs)).last)
    throw cursorExpired();
  if (after !== null && from.after !== null && after !== from.after) throw cursorExpired();
  return from;
}

/** Returns the position of the last part with a row before a place. */
const lastBefore = ({ position, row }: FeedPlace): number => (row > 0 ? position : position - 1);

/** What a consumer does without a place in the feed. */
export const START_OVER =
  'Take a new cursor with `since=now`, download all identities, and follow the changes from the new cursor.';

const cursorExpired = () =>
  gone(
    'cursor_expired',
    'Changes that follow this cursor are not stored: they were deleted, a worker did not record them, or the cursor is of another database. ' +
      START_OVER,
  );

class GrowingPage {
  readonly changes: FedChange[] = [];
  next: FeedPlace;
  readonly #request: PageRequest;
  #bytes = 0;
  #parts = 0;

  constructor(request: PageRequest, start: FeedPlace) {
    this.#request = request;
    this.next = start;
  }

  get goesOn(): boolean {
    if (this.changes.length >= this.#request.limit || this.#parts >= PAGE_PARTS) return false;
    return this.#bytes < (this.changes.length === 0 ? EMPTY_PAGE_BYTES : PAGE_BYTES);
  }

  get isOfSmallParts(): boolean {
    return this.#bytes < this.#parts * SMALL_PART_BYTES;
  }

  async add({ position, jobId, changedAt, content }: FeedPart): Promise<void> {
    const text = (await decompress(content)).toString();
    const { limit, integrationId: wanted } = this.#request;
    this.#bytes += text.length;
    this.#parts += 1;
    let row = 0;
    for (const { integrationId, identity, before, after } of readChanges(text)) {
      if (row++ < this.next.row || before === after) continue;
      if (wanted !== undefined && wanted !== integrationId) continue;
      if (this.changes.length === limit) {
        this.next = { position, row: row - 1, after: changedAt };
        return;
      }
      this.changes.push({ integrationId, identity, before, after, jobId, changedAt });
    }
    this.next = { position: position + 1, row: 0, after: changedAt };
  }
}
