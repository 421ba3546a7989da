import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A socket's path has at most 104 bytes on macOS and 108 on Linux, including the terminating zero. */
const longestSocketPath = 103;
const longestName = '/redis.sock'.length;

/**
 * Returns the folder for the sockets of a data directory: `DIR/run`, or a short one under the system's temporary folder
 * if that path is too long or would need escaping in a URL. Creates it if missing, for this user only.
 * @throws Error if the temporary one belongs to another user
 */
export function socketFolder(dir: string): string {
  const own = join(dir, 'run');
  const fits = Buffer.byteLength(own) + longestName <= longestSocketPath && /^[\w./-]+$/.test(own);
  const folder = fits ? own : join(tmpdir(), `muster-${shortHash(dir)}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  rejectForeign(folder);
  return folder;
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function rejectForeign(folder: string): void {
  const found = lstatSync(folder);
  const safe = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
  if (!safe) throw new Error(`${folder} is not a folder of this user alone (mode 700)`);
}
