import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Of the names and contents of everything that a build reads; some 10 ms. Times of files would be cheaper, and
 * wrong after a checkout that turns them back.
 * @param {string} root the project's folder
 * @param {string[]} files relative to it; one that cannot be read counts as empty
 * @returns {string} hexadecimal SHA-256
 */
export function fingerprint(root, files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0${textOf(join(root, file))}\0`);
  return hash.digest('hex');
}

/** All files and folders below a folder of the project, in order, relative to the project. */
export function filesIn(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${name}`)
    .sort();
}

/** What a file holds; empty when it cannot be read. */
export function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
