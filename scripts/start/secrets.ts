import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * A secret that is made once: the text in `file`, or `make()`, which is then stored there with mode 600.
 * @throws Error when the file is there and cannot be read: a new secret in its place would lock data away
 */
export function keptSecret(file: string, make: () => string): string {
  const kept = read(file);
  if (kept) return kept;
  const made = make();
  writeFileSync(`${file}.new`, `${made}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return made;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
