import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One asset of the built console, with the compressed forms that the build made. */
export interface ConsoleAsset {
  plain: Buffer;
  br: Buffer | undefined;
  gzip: Buffer | undefined;
}

/** An HTML page and its ETag, quoted as in the header. */
export interface ConsolePage {
  page: Buffer;
  etag: string;
}

/** The page is `index.html`. */
export interface ConsoleFiles extends ConsolePage {
  /** The documentation's pages by name, such as `alerts`. */
  guide: ReadonlyMap<string, ConsolePage>;
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
 * Reads the whole console, about 3 MB, into memory. So a request cannot name any other file, and a new build in the same folder
 * does not remove assets of the page that is being served. Returns null if the console is not built.
 */
export function readConsole(folder: string): ConsoleFiles | null {
  try {
    return {
      ...readPage(join(folder, 'index.html')),
      guide: readGuide(join(folder, 'guide')),
      assets: readAssets(join(folder, 'assets')),
    };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function readPage(path: string): ConsolePage {
  const page = readFileSync(path);
  return { page, etag: `"${createHash('sha256').update(page).digest('base64url')}"` };
}

function readGuide(folder: string): Map<string, ConsolePage> {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return new Map(files.map((file) => [basename(file, '.html'), readPage(join(folder, file))]));
}

function readAssets(folder: string): Map<string, ConsoleAsset> {
  const files = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  return new Map(
    [...files]
      .filter(([name]) => !/\.(br|gz)$/.test(name))
      .map(([name, plain]) => [name, { plain, br: files.get(`${name}.br`), gzip: files.get(`${name}.gz`) }]),
  );
}
