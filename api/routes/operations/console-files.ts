import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One asset of the built console, with the compressed forms that the build made. */
export interface ConsoleAsset {
  plain: Buffer;
  br: Buffer | undefined;
  gzip: Buffer | undefined;
}

export interface ConsoleFiles {
  /** index.html */
  page: Buffer;
  /** The ETag of the page, quoted as in the header. */
  etag: string;
  /** By name, such as `index-B3xk.js`. */
  assets: ReadonlyMap<string, ConsoleAsset>;
}

/** Returns the path of `dist/console` in this project, whether this module runs from source or from `dist`. */
export function builtConsole(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return join(folder, 'dist', 'console');
}

/**
 * Reads the whole console, about 2 MB, into memory. So a request cannot name any other file, and a new build in the same folder
 * does not remove assets of the page that is being served. Returns null if the console is not built.
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
