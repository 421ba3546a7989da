import type { CompiledMapping } from '../definition/compile.js';
import { readPath } from '../expression/index.js';
import { expandJson } from '../payload/expand-json.js';
import { isBlank, type JsonValue } from '../values/json-value.js';
import type { Path } from '../values/path.js';
import type { EventRequest } from '../values/request.js';
import { itemsOf } from '../values/split.js';

/** Items of a split that are searched for a path. */
const MAX_ITEMS = 100;

/** Returns the paths that the expressions of a mapping expect in every payload, by field. The filter counts as a field. */
export function expectedPaths({
  filter,
  fields,
  custom,
}: CompiledMapping): [field: string, paths: readonly Path[]][] {
  const all = [...fields, ...custom.map(({ field }) => field)];
  const inPayload = (paths: readonly Path[] = []) => paths.filter(({ root }) => root !== 'lookup');
  return [
    ['filter', inPayload(filter?.expectedPaths)],
    ...all.map(({ name, expression }): [string, readonly Path[]] => [
      name,
      inPayload(expression?.expectedPaths),
    ]),
  ];
}

/**
 * Returns those of the paths that lead to a value in an event, at least in one of its items. The results of expressions do not say
 * that, because `||`, `&&` and conditions skip parts.
 */
export function foundPaths(
  mapping: CompiledMapping,
  payload: JsonValue,
  request?: EventRequest,
): ReadonlySet<string> {
  const paths = expectedPaths(mapping).flatMap(([, expected]) => expected);
  if (paths.length === 0) return NONE;
  const webhook = expandJson(payload, mapping.expandJson).payload;
  const list = mapping.split && itemsOf(webhook, mapping.split);
  const items = list?.slice(0, MAX_ITEMS) ?? [];
  const isFound = (path: Path, item?: JsonValue) => !isMissing(readPath(path, { webhook, item, request }));
  const found = paths.filter((path) =>
    path.root === 'item' ? items.some((item) => isFound(path, item)) : isFound(path),
  );
  return new Set(found.map(({ text }) => text));
}

const NONE: ReadonlySet<string> = new Set();

const isMissing = (value: JsonValue | undefined): boolean => value === undefined || isBlank(value);
