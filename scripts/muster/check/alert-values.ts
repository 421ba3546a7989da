import type { NormalizedAlert } from '../../../workers/mapping/index.js';
import type { ExpectedAlert } from '../files/samples-schema.js';
import type { Difference } from '../finding.js';

/** The values of an alert by field, custom ones as `custom.NAME`. Only the fields that have a value. */
export type AlertValues = ReadonlyMap<string, string>;

/** Returns what Muster made. */
export function valuesOf({ fields, custom }: NormalizedAlert): AlertValues {
  const all = [
    ...Object.entries(fields),
    ...Object.entries(custom).map(([name, result]) => [`custom.${name}`, result] as const),
  ];
  return new Map(all.flatMap(([name, { value }]) => (value === null ? [] : [[name, value]])));
}

/** Returns what a sample expects. */
export function expectedValues({ custom, ...fields }: ExpectedAlert): AlertValues {
  const own = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return new Map([
    ...own,
    ...Object.entries(custom).map(([name, value]) => [`custom.${name}`, value] as const),
  ]);
}

/** Returns in what alerts differ, one by one in their order. */
export function differencesOf(expected: readonly AlertValues[], got: readonly AlertValues[]): Difference[] {
  return Array.from({ length: Math.max(expected.length, got.length) }, (_, at) => {
    const [wanted, made] = [expected[at], got[at]];
    const alert = at + 1;
    if (!wanted || !made)
      return [
        { alert, field: null, expected: wanted ? titleOf(wanted) : null, got: made ? titleOf(made) : null },
      ];
    return [...new Set([...wanted.keys(), ...made.keys()])].flatMap((field) => {
      const pair = { expected: wanted.get(field) ?? null, got: made.get(field) ?? null };
      return pair.expected === pair.got ? [] : [{ alert, field, ...pair }];
    });
  }).flat();
}

/** By what a person recognizes an alert. */
const titleOf = (values: AlertValues): string =>
  values.get('title') ?? values.get('description') ?? values.get('dedupKey') ?? '';
