import type { CompiledMapping } from '../definition/compile.js';
import { expandJson } from '../payload/expand-json.js';
import { Budget, withinBudget } from '../values/budget.js';
import { isBlank, type JsonValue } from '../values/json-value.js';
import { follow } from '../values/lookup.js';
import type { Path } from '../values/path.js';
import type { EventRequest } from '../values/request.js';
import { itemsOf } from '../values/split.js';

/** The paths of one tag: several for a first-of, of which any may match. */
export type Tag = readonly Path[];

/** Where the tags of a mapping are looked up. */
export interface Subject {
  payload: JsonValue;
  request?: EventRequest | undefined;
}

/**
 * Returns what a mapping looks up outside sections' elements, each once: the tags of its templates, and the paths of its
 * expressions, of which those of a `first` or of a condition are one tag.
 */
export function tagsOf({ fields, custom }: CompiledMapping): Tag[] {
  const tags = new Map<string, Tag>();
  for (const { template, expression } of [...fields, ...custom.map(({ field }) => field)]) {
    for (const paths of expression?.alternatives ?? [])
      tags.set(paths.map(({ text }) => text).join('|'), paths);
    for (const [name, paths] of template?.tagPaths ?? []) {
      if (paths.every(({ root }) => root !== 'element')) tags.set(name, paths);
    }
  }
  return [...tags.values()];
}

/** Returns whether a tag reads only the request. A sample is without one, so it does not tell whether the tag is required. */
export const isOfRequest = (tag: Tag): boolean => tag.every(({ root }) => root === 'request');

/** Returns whether a payload has a value, which may be an empty text: senders fill in what they know. */
export const isPresent = (value: JsonValue | undefined): boolean => value === '' || !isBlank(value);

/**
 * Returns the tags that find a value. Of a split, the first item stands for all. Tags beyond the budget of one field, about
 * 5 ms, are not looked up and count as not found.
 */
export function matchingTags(
  mapping: CompiledMapping,
  tags: readonly Tag[],
  subject: Subject,
  isFound: (value: JsonValue | undefined) => boolean = (value) => !isBlank(value),
): Tag[] {
  const { payload } = expandJson(subject.payload, mapping.expandJson);
  const budget = new Budget();
  const find = (keys: readonly string[], start: JsonValue | undefined) =>
    withinBudget(() => follow(start, keys, budget));
  const roots: { [Root in Path['root']]?: JsonValue | undefined } = {
    webhook: payload,
    item: (mapping.split && itemsOf(payload, mapping.split))?.[0],
    request: subject.request,
    element: undefined,
  };
  return tags.filter((paths) => paths.some(({ root, keys }) => isFound(find(keys, roots[root]))));
}
