import { basename } from 'node:path';
import type Koa from 'koa';
import type { FileStore, StoredFile } from '../../db/files/index.js';
import { isUnchanged } from '../http/entity-tag.js';
import { gone, rangeNotSatisfiable } from '../http/errors.js';
import { wantedRange } from './byte-range.js';

/** Thousands may download at the same time, slowly. With 256 KiB each took 540 KB of memory, and one alone was no faster. */
const CHUNK_BYTES = 16 * 1024;

export interface FileToSend {
  key: string;
  /** What it is called where it is saved. */
  name: string;
  /** Media type. */
  type: string;
}

/**
 * Sends a stored file, or the part of it that is asked for: Range, If-Range, If-None-Match, HEAD (RFC 9110). A file never
 * changes under its key, so the key's name is a strong ETag. Never content-coded: a resumed download must join the same bytes.
 */
export async function sendFile(ctx: Koa.Context, files: FileStore, file: FileToSend): Promise<void> {
  const stored = await describeFile(ctx, files, file);
  ctx.set('Accept-Ranges', 'bytes');
  ctx.status = 200;
  if (isUnchanged(ctx)) ctx.status = 304;
  else if (ctx.method === 'HEAD') ctx.length = stored.bytes;
  else sendPart(ctx, files, file.key, stored);
}

/** Sends a stored file whole, whatever part is asked for: the address makes a new file each time. */
export async function sendWholeFile(ctx: Koa.Context, files: FileStore, file: FileToSend): Promise<void> {
  const { bytes } = await describeFile(ctx, files, file);
  ctx.body = files.read(file.key, undefined, CHUNK_BYTES);
  ctx.length = bytes;
}

async function describeFile(
  ctx: Koa.Context,
  files: FileStore,
  { key, name, type }: FileToSend,
): Promise<StoredFile> {
  const stored = await files.stat(key);
  if (!stored) throw gone('result_expired', 'The file is no longer there.');
  ctx.attachment(name);
  ctx.type = type;
  ctx.set({ ETag: `"${basename(key)}"`, 'Cache-Control': 'no-store, no-transform' });
  return stored;
}

function sendPart(ctx: Koa.Context, files: FileStore, key: string, { bytes }: StoredFile): void {
  const range = isCurrent(ctx) ? wantedRange(ctx.get('range'), bytes) : 'whole';
  if (range === 'unsatisfiable') throw rangeNotSatisfiable(bytes);
  ctx.body = files.read(key, range === 'whole' ? undefined : range, CHUNK_BYTES);
  if (range === 'whole') ctx.length = bytes;
  else {
    ctx.status = 206;
    ctx.set('Content-Range', `bytes ${range.start}-${range.end}/${bytes}`);
    ctx.length = range.end - range.start + 1;
  }
}

/** If-Range wants the part only of the file that it names; there are no dates here, so a date names none. */
function isCurrent(ctx: Koa.Context): boolean {
  const wanted = ctx.get('if-range');
  return wanted === '' || wanted === ctx.response.get('etag');
}
