import { UsageError } from '../../text/command-line.js';
import { resolveSecret, type SecretSources } from '../files/secret-reference.js';

/** Where secrets are resolved, and the file that has the references. */
interface Sources extends SecretSources {
  file: string;
}

/**
 * Returns a document with its secrets in place of references.
 * @param paths where they are, such as `signature.secret`; `*` is any member
 * @throws UsageError if one cannot be had
 */
export const withSecrets = (document: object, paths: readonly string[], sources: Sources): object =>
  paths.reduce((one, path) => resolvedAt(one, path.split('.'), [], sources) as object, document);

function resolvedAt(
  value: unknown,
  [name, ...rest]: readonly string[],
  at: readonly string[],
  sources: Sources,
): unknown {
  if (name === undefined) return typeof value === 'string' ? secretAt(value, at, sources) : value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([member, inside]) =>
    name === '*' || name === member
      ? [member, resolvedAt(inside, rest, [...at, member], sources)]
      : [member, inside],
  );
  return Object.fromEntries(entries);
}

function secretAt(reference: string, at: readonly string[], { file, ...sources }: Sources): string {
  try {
    return resolveSecret(reference, sources);
  } catch (error) {
    throw new UsageError(`${file}: ${at.join('.')}: ${(error as Error).message}`);
  }
}
