import { isAbsolute, join } from 'node:path';

/** The scripts of this project that take paths. A script of another project that calls `muster` names paths from where it runs. */
const SCRIPTS: readonly (string | undefined)[] = ['muster', 'upload'];

/** Resolves a path against the folder in which npm was called, because npm runs scripts in the project's folder. */
export function givenPath(
  path: string,
  { npm_lifecycle_event, INIT_CWD }: Record<string, string | undefined>,
): string {
  return SCRIPTS.includes(npm_lifecycle_event) && INIT_CWD && !isAbsolute(path) ? join(INIT_CWD, path) : path;
}
