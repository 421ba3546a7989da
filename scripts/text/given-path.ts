import { isAbsolute, join } from 'node:path';

/** Resolves a path against the folder in which npm was called, because npm runs scripts in the project's folder. */
export function givenPath(
  path: string,
  { npm_lifecycle_event, INIT_CWD }: Record<string, string | undefined>,
): string {
  return npm_lifecycle_event && INIT_CWD && !isAbsolute(path) ? join(INIT_CWD, path) : path;
}
