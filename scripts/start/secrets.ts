import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where `npm start` keeps its SECRET_KEY. */
export const secretKeyFile = (dataDir: string): string => join(dataDir, 'secret-key');

/**
 * A secret that is made once: the text in `file`, or `make()`, which is then stored there with mode 600.
 * @throws Error when the file is there and cannot be read: a new secret in its place would lock data away
 */
export function keptSecret(file: string, make: () => string): string {
  const kept = readSecret(file);
  if (kept) return kept;
  const made = make();
  writeFileSync(`${file}.new`, `${made}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return made;
}

/** The text in `file`; empty if it is missing. @throws Error if it cannot be read */
export function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
