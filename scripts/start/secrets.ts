import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where `npm start` keeps its SECRET_KEY. */
export const secretKeyFile = (dataDir: string): string => join(dataDir, 'secret-key');

/**
 * Returns a secret that is created once: the text in `file`, or else `make()`, which is then stored there with mode 600.
 * @throws Error if the file exists and cannot be read: a new secret would make encrypted data unreadable
 */
export function keptSecret(file: string, make: () => string): string {
  const kept = readSecret(file);
  if (kept) return kept;
  const made = make();
  writeFileSync(`${file}.new`, `${made}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return made;
}

/**
 * Returns the text in `file`, or an empty text if it is missing.
 * @throws Error if it cannot be read
 */
export function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
