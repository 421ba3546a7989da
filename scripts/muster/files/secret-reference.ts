import { readFileSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
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
  if (!isAbsolute(file) && relative(root, resolve(root, file)).startsWith('..'))
    throw new Error(`the file ${file} is outside of the folder. Write an absolute path if that is wanted`);
  try {
    return readFileSync(resolve(root, file), 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new Error(`the file ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}
