import { type FieldTree, formatPath } from '../../workers/mapping/index.js';

/** The parts of a request that an integration's signature covers. */
interface SignedParts {
  body: boolean;
  headers: readonly string[];
}

/**
 * Marks the fields of the request that the integration's signature does not cover: somebody who replays a signed event can
 * change them. Without a signature over the body nothing is marked, because then nothing is covered.
 */
export function markUnsigned({ nodes, truncated }: FieldTree, signed: SignedParts | null): FieldTree {
  if (!signed?.body) return { nodes, truncated };
  const covered = new Set(signed.headers.map((name) => formatPath('request', ['headers', name])));
  const isUnsigned = (path: string) => /^request\b/.test(path) && !covered.has(path);
  return {
    nodes: nodes.map((node) => (isUnsigned(node.path) ? { ...node, unsigned: true } : node)),
    truncated,
  };
}
