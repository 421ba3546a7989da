import type { Draft, DraftField } from './draft.ts';
import { renameTags } from './tags.ts';

/**
 * The draft with another list to split, or none. Tags go along: what pointed into the first element of the list says
 * `item` now, and what said `item` of the former split points into its first element again.
 */
export function splitDraft(draft: Draft, split: string | null): Draft {
  const back = draft.split === null ? keep : fromItem(`${draft.split}[0]`);
  const there = split === null ? keep : toItem(`${split}[0]`);
  const field = (one: DraftField): DraftField => ({
    ...one,
    template: renameTags(one.template, (name) => there(back(name))),
  });
  const fields = Object.entries(draft.fields).map(([name, one]) => [name, field(one)]);
  return {
    ...draft,
    split,
    fields: Object.fromEntries(fields),
    custom: draft.custom.map((one) => ({ ...one, field: field(one.field) })),
  };
}

const keep = (name: string): string => name;

const fromItem =
  (element: string) =>
  (name: string): string =>
    movePath(name, 'item', element);

const toItem =
  (element: string) =>
  (name: string): string =>
    movePath(name, element, 'item');

/** A path below `from`, or that itself, moved to below `to`. */
function movePath(path: string, from: string, to: string): string {
  if (path === from) return to;
  const next = path[from.length];
  return path.startsWith(from) && (next === '.' || next === '[') ? to + path.slice(from.length) : path;
}
