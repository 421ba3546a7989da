import type { CompiledMapping } from './compiled.js';
import { pathsOf } from './lookups.js';

/** The headers and query parameters that a mapping reads. `all`: it reads the object of them, such as `request.headers`. */
export interface RequestNames {
  headers: ReadonlySet<string> | 'all';
  query: ReadonlySet<string> | 'all';
}

/** Returns what a mapping reads of the request, whatever a payload contains. */
export function requestNames(mapping: CompiledMapping): RequestNames {
  const read = pathsOf(mapping).flatMap(({ root, keys }) => (root === 'request' ? [keys] : []));
  return { headers: namesIn(read, 'headers'), query: namesIn(read, 'query') };
}

function namesIn(read: readonly (readonly string[])[], part: 'headers' | 'query'): RequestNames['headers'] {
  const within = read.filter(([first]) => first === undefined || first === part);
  if (within.some(({ length }) => length < 2)) return 'all';
  return new Set(within.flatMap(([, ...steps]) => joined(steps)));
}

/** Returns the keys that steps may mean: `request.query.a.b` finds the parameter `a.b` too. */
const joined = (steps: readonly string[]): string[] =>
  steps.map((_, last) => steps.slice(0, last + 1).join('.'));
