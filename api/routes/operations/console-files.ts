import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One part of the built console, and its compressed forms where the build made them. */
export interface ConsoleAsset {
  plain: Buffer;
  br: Buffer | undefined;
  gzip: Buffer | undefined;
}

export interface ConsoleFiles {
  /** index.html */
  page: Buffer;
  /** Of the page's content, quoted as in the header. */
  etag: string;
  /** By name, such as `index-B3xk.js`. */
  assets: ReadonlyMap<string, ConsoleAsset>;
}

/** `dist/console` of the project that this module is part of, built or as a source. */
export function builtConsole(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return join(folder, 'dist', 'console');
}

/**
 * Reads the whole console, some 2 MB: a request can name nothing that is not in it, and another build in the same
 * place takes no file away from the page that is being served. Null when it has not been built.
 */
export function readConsole(folder: string): ConsoleFiles | null {
  try {
    const page = readFileSync(join(folder, 'index.html'));
    const etag = `"${createHash('sha256').update(page).digest('base64url')}"`;
    return { page, etag, assets: readAssets(join(folder, 'assets')) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function readAssets(folder: string): Map<string, ConsoleAsset> {
  const files = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  return new Map(
    [...files]
      .filter(([name]) => !/\.(br|gz)$/.test(name))
      .map(([name, plain]) => [name, { plain, br: files.get(`${name}.br`), gzip: files.get(`${name}.gz`) }]),
  );
}
