import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** A file cannot be read. The message follows its name, or has that of a folder. */
export class FileProblem extends Error {}

/** A larger file is not what it should be. An event has at most 1 MiB. */
export const MAX_BYTES = 16 * 1024 * 1024;

/** The folder of the files. Reads nothing outside of it: a link that leads out of it is an error. */
export class Folder {
  readonly root: string;

  /** @throws FileProblem if it is not a folder */
  constructor(path: string) {
    let real = path;
    try {
      real = realpathSync(path);
    } catch (error) {
      throw new FileProblem(`${path} ${reasonOf(error)}`);
    }
    if (!statSync(real).isDirectory()) throw new FileProblem(`${path} is not a folder`);
    this.root = real;
  }

  /** Returns the files below a folder, sorted, relative to the root. Leaves out names that start with a dot. */
  filesIn(folder: string): string[] {
    return [...this.#walk(folder, new Set([this.root]))].sort();
  }

  /** Returns the names of what is in the root. */
  names(): string[] {
    return readdirSync(this.root);
  }

  /** @param from the file that names the path, relative to the root */
  pathFrom(from: string, path: string): string {
    return toSlashes(relative(this.root, resolve(this.root, dirname(from), path)));
  }

  has(path: string): boolean {
    return statSync(join(this.root, path), { throwIfNoEntry: false })?.isFile() ?? false;
  }

  /**
   * Returns where a file is, without links.
   * @throws FileProblem if it is outside of the folder, or no file
   */
  locate(path: string): string {
    try {
      const real = realpathSync(join(this.root, path));
      if (real !== this.root && !real.startsWith(this.root + sep))
        throw new FileProblem('is outside of the folder');
      if (!statSync(real).isFile()) throw new FileProblem('is not a file');
      return real;
    } catch (error) {
      throw error instanceof FileProblem ? error : new FileProblem(reasonOf(error));
    }
  }

  /** @throws FileProblem */
  read(path: string): Buffer {
    const real = this.locate(path);
    if (statSync(real).size > MAX_BYTES) throw new FileProblem('has more than 16 MiB');
    try {
      return readFileSync(real);
    } catch (error) {
      throw new FileProblem(reasonOf(error));
    }
  }

  /** Returns a text without its byte order mark. @throws FileProblem */
  readText(path: string): string {
    const bytes = this.read(path);
    if (!isUtf8(bytes)) throw new FileProblem('must be UTF-8');
    return bytes.toString().replace(/^\ufeff/, '');
  }

  *#walk(folder: string, seen: Set<string>): Generator<string> {
    const path = join(this.root, folder);
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
    const real = realpathSync(path);
    // A link may lead back.
    if (seen.has(real)) return;
    seen.add(real);
    for (const name of readdirSync(path)) {
      if (name.startsWith('.')) continue;
      const inside = `${folder}/${name}`;
      if (statSync(join(this.root, inside), { throwIfNoEntry: false })?.isDirectory())
        yield* this.#walk(inside, seen);
      else yield inside;
    }
  }
}

const toSlashes = (path: string): string => path.split(sep).join('/');

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be read: permission denied',
  ENOTDIR: 'does not exist',
  ELOOP: 'is a link that leads to itself',
};

function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? `cannot be read: ${code || message}`;
}
