import type { FieldNode } from '../model/field-tree.ts';

/** A step of a path of the field tree: a name, an index, or a name in quotes. */
const STEP = /\.([^.[\]]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;
/** Names that CEL does not allow after a dot. */
const RESERVED = new Set(['in', 'true', 'false', 'null']);

/** A path of the payload. */
export interface ExpressionPath {
  /** As the field tree and templates write it. */
  path: string;
  /** As an expression writes it. */
  written: string;
  sample: string;
}

/**
 * Returns the paths of the payload that an expression can read, as CEL writes them: `webhook.labels["app.name"]`. Templates also
 * find the names in a list of names and values, and in a text of such; expressions do not, so those paths are left out.
 */
export function expressionPaths(nodes: readonly FieldNode[]): ExpressionPath[] {
  const types = new Map(nodes.map(({ path, type }) => [path, type]));
  return nodes.flatMap(({ path, sample }) => {
    const written = toExpressionPath(path, types);
    return written === null ? [] : [{ path, written, sample }];
  });
}

/** Returns a path of the field tree as an expression writes it, or null if no expression can read it. */
export const writtenPath = (nodes: readonly FieldNode[], path: string): string | null =>
  toExpressionPath(path, new Map(nodes.map((node) => [node.path, node.type])));

/** A path without the method that is called on it, or a text in quotes, which contains no paths. */
const PATH_OR_TEXT =
  /(?<![\w.])((?:webhook|item|request|lookup)(?:\.\w+(?![\w(])|\[\d+\]|\["(?:[^"\\]|\\.)*"\])*)(?!\w)|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;

/** Returns the paths of the payload that an expression names, as the field tree writes them. */
export function pathsInExpression(expression: string, paths: readonly ExpressionPath[]): string[] {
  const named = new Set([...expression.matchAll(PATH_OR_TEXT)].map(([, path]) => path));
  return paths.filter(({ written }) => named.has(written)).map(({ path }) => path);
}

/** Replaces a path by another wherever an expression names exactly this path. */
export const replaceInExpression = (expression: string, path: string, by: string): string =>
  expression.replace(PATH_OR_TEXT, (text, named: string | undefined) => (named === path ? by : text));

function toExpressionPath(path: string, types: ReadonlyMap<string, FieldNode['type']>): string | null {
  let at = /^\w+/.exec(path)?.[0].length ?? 0;
  let written = path.slice(0, at);
  while (at < path.length) {
    const parent = types.get(path.slice(0, at));
    STEP.lastIndex = at;
    const step = STEP.exec(path);
    if (!step) return null;
    const [text, name, index, quoted] = step;
    const isIndex = index !== undefined;
    if (parent === 'text' || (parent === 'list' && !isIndex)) return null;
    written += isIndex ? `[${index}]` : member(name ?? JSON.parse(quoted as string));
    at += text.length;
  }
  return written;
}

const member = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) && !RESERVED.has(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
