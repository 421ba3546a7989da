import type Koa from 'koa';
import { gone } from './errors.js';
import type { Services } from './services.js';

/** Sends a stored CSV whole, under a name of ours. 410 when it is no longer kept. */
export async function sendStored(
  ctx: Koa.Context,
  { files }: Services,
  { key, name }: { key: string; name: string },
): Promise<void> {
  const file = await files.stat(key);
  if (!file) throw gone('result_expired', 'This file is no longer kept.');
  ctx.type = 'text/csv; charset=utf-8';
  ctx.length = file.bytes;
  ctx.attachment(name);
  ctx.set('Cache-Control', 'no-store, no-transform');
  ctx.body = files.read(key);
}
