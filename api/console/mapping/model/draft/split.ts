import type { Draft, DraftField } from './draft.ts';
import { keyPartsOf, type Lookup, withKeyParts } from './lookups.ts';
import { renameTags } from './tags.ts';

/**
 * Returns the draft with another list to split, or none. Tags are rewritten: paths into the first element of the new
 * list become `item` paths, and `item` paths of the former list become paths into its first element.
 */
export function splitDraft(draft: Draft, split: string | null): Draft {
  const back = draft.split === null ? keep : fromItem(`${listOf(draft.split)}[0]`);
  const there = split === null ? keep : toItem(`${listOf(split)}[0]`);
  const moved = (template: string) => renameTags(template, (name) => there(back(name)));
  const field = (one: DraftField): DraftField => ({ ...one, template: moved(one.template) });
  const key = (lookup: Lookup): Lookup =>
    withKeyParts(
      lookup,
      keyPartsOf(lookup).map((part) => (typeof part === 'string' ? moved(part) : part)),
    );
  const fields = Object.entries(draft.fields).map(([name, one]) => [name, field(one)]);
  return {
    ...draft,
    split,
    fields: Object.fromEntries(fields),
    lookups: draft.lookups.map(({ name, lookup }) => ({ name, lookup: key(lookup) })),
    custom: draft.custom.map((one) => ({ ...one, field: field(one.field) })),
  };
}

const OR_WHOLE = /\|webhook$/;

/** Returns the path of the list that is split, without the `|webhook` of a split that takes a payload without the list as one item. */
export const listOf = (split: string): string => split.replace(OR_WHOLE, '');

export const takesWhole = (split: string): boolean => OR_WHOLE.test(split);

const keep = (name: string): string => name;

const fromItem =
  (element: string) =>
  (name: string): string =>
    movePath(name, 'item', element);

const toItem =
  (element: string) =>
  (name: string): string =>
    movePath(name, element, 'item');

/** Replaces the prefix `from` of a path by `to`. Other paths are returned unchanged. */
function movePath(path: string, from: string, to: string): string {
  if (path === from) return to;
  const next = path[from.length];
  return path.startsWith(from) && (next === '.' || next === '[') ? to + path.slice(from.length) : path;
}
