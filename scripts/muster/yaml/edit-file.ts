import { type Document, isAlias, isMap, type Node, type Scalar } from 'yaml';
import { differences } from '../../../workers/json/differences.js';
import type { YamlFile } from './yaml-file.js';

type Content = Readonly<Record<string, unknown>>;

/**
 * Returns the text of a file after what differs from what is wanted was changed in it. Comments, the order and all else stay.
 * @param content what the file says, with its defaults
 * @param defaults what a file means that says nothing
 * @throws Error if the file says it in a way that cannot be edited
 */
export function edited(yaml: YamlFile, content: Content, wanted: Content, defaults: Content): string {
  const found = [...differences([], content, wanted)];
  const { document } = yaml;
  if (found.length === 0 || document === null) return yaml.text;
  const copy = document.clone() as Document;
  for (const { path, after } of found) change(copy, path, after, defaults);
  return copy.toString({ lineWidth: 0 });
}

function change(document: Document, path: readonly string[], value: unknown, defaults: Content): void {
  for (let depth = 1; depth < path.length; depth++)
    if (isAlias(document.getIn(path.slice(0, depth), true)))
      throw new Error(
        `${path.join('.')} is different on the server, and part of an alias here: change the file by hand`,
      );
  const [top = ''] = path;
  const isDefault = path.length === 1 ? !differs(defaults[top], value) : value === null;
  if (isDefault) remove(document, path);
  else document.setIn(path, document.createNode(value));
}

/** Deletes a member, and keeps the comment above it: it may be about the whole file. */
function remove(document: Document, path: readonly string[]): void {
  const map = document.getIn(path.slice(0, -1), true);
  if (!isMap<Scalar, Node | null>(map)) return;
  const index = map.items.findIndex(({ key }) => key.value === path.at(-1));
  const comment = map.items[index]?.key.commentBefore;
  map.delete(path.at(-1));
  const next = map.items[index]?.key;
  if (comment && next) next.commentBefore = [comment, next.commentBefore].filter(Boolean).join('\n');
  else if (comment) map.comment = [map.comment, comment].filter(Boolean).join('\n');
}

export const differs = (one: unknown, other: unknown): boolean => !differences([], one, other).next().done;
