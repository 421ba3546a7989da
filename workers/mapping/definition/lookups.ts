import type { Path } from '../values/path.js';
import type { CompiledField, CompiledLookup, CompiledMapping } from './compiled.js';

/** What is compiled of a lookup by itself. */
export type LookupParts = Pick<CompiledLookup, 'name' | 'place' | 'key'>;

/** Returns the paths that fields read. */
const pathsOfFields = (fields: readonly CompiledField[]): Path[] =>
  fields.flatMap(({ template, expression }) => [
    ...[...(template?.tagPaths.values() ?? [])].flat(),
    ...(expression?.paths ?? []),
  ]);

/** Returns all paths that a mapping reads, whatever a payload contains. */
export const pathsOf = ({ filter, fields, custom, lookups }: CompiledMapping): Path[] => [
  ...(filter?.paths ?? []),
  ...pathsOfFields([...fields, ...custom.map(({ field }) => field), ...lookups.flatMap(({ key }) => key)]),
];

/** Returns the lookups that paths use. */
export const lookupsIn = (paths: readonly Path[]): string[] =>
  paths.flatMap(({ root, keys: [name] }) => (root === 'lookup' && name !== undefined ? name : []));

/**
 * Returns lookups in the order in which they are made: those whose key uses no other lookup first.
 * @param tooDeep called with each lookup that uses one which uses another, or itself
 */
export function orderLookups(
  all: readonly LookupParts[],
  tooDeep: (name: string) => void,
): Omit<CompiledLookup, 'columns'>[] {
  const withPaths = all.map((lookup) => {
    const paths = pathsOfFields(lookup.key);
    return { lookup, used: lookupsIn(paths), ofItem: paths.some(({ root }) => root === 'item') };
  });
  const first = withPaths.filter(({ used }) => used.length === 0);
  const ofItem = new Map(first.map(({ lookup, ofItem }) => [lookup.name, ofItem]));
  const owners = new Set(first.flatMap(({ lookup: { name, place } }) => ('table' in place ? [] : name)));
  const second = withPaths.filter(({ used }) => used.length > 0);
  for (const { lookup, used } of second) if (!used.every((name) => ofItem.has(name))) tooDeep(lookup.name);
  return [
    ...first.map(({ lookup, ofItem }) => ({
      ...lookup,
      usesItem: ofItem,
      usesLookup: false,
      usesOwner: false,
    })),
    ...second.map(({ lookup, used, ofItem: own }) => ({
      ...lookup,
      usesItem: own || used.some((name) => ofItem.get(name)),
      usesLookup: true,
      usesOwner: used.some((name) => owners.has(name)),
    })),
  ];
}

/** Returns the columns that paths read of a lookup; null if they read all of it. `lookup.a.b.c` may mean the column `b.c`. */
export function columnsIn(paths: readonly Path[], name: string): ReadonlySet<string> | null {
  const read = paths.filter(({ root, keys }) => root === 'lookup' && keys[0] === name);
  if (read.some(({ keys }) => keys.length < 2)) return null;
  return new Set(
    read.flatMap(({ keys: [, ...steps] }) => steps.map((_, last) => steps.slice(0, last + 1).join('.'))),
  );
}
