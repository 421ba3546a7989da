import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, resolve, sep } from 'node:path';
import { SECRET_REFERENCE } from '../../../api/routes/by-name/secret-reference.js';

/** Where references are resolved. */
export interface SecretSources {
  /** The folder of the files. */
  root: string;
  env: Record<string, string | undefined>;
}

/**
 * Returns the secret that a reference stands for, without one newline at its end.
 * @throws Error if there is none; its message does not contain it
 */
export function resolveSecret(reference: string, { root, env }: SecretSources): string {
  const [, name, file] = SECRET_REFERENCE.exec(reference) ?? [];
  if (name !== undefined) {
    const value = env[name];
    if (!value) throw new Error(`the variable ${name} of the environment is not set`);
    return value.replace(/\r?\n$/, '');
  }
  if (file === undefined) throw new Error('is not a reference to a secret');
  return readSecret(file, root).replace(/\r?\n$/, '');
}

/** Reads a file. A relative path, also through links, must stay in the folder. */
function readSecret(file: string, root: string): string {
  try {
    const path = realpathSync(resolve(root, file));
    if (!isAbsolute(file) && !path.startsWith(realpathSync(root) + sep))
      throw new Error(`the file ${file} is outside of the folder. Write an absolute path if that is wanted`);
    // A pipe that nobody writes to must not block the command.
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!fstatSync(descriptor).isFile()) throw new Error(`${file} is not a regular file`);
      return readFileSync(descriptor, 'utf8');
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new Error(`the file ${file} cannot be read: ${code}`);
  }
}
