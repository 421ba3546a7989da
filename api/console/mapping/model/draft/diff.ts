import { counted } from '../../../text/quantities.ts';
import { labelOf, MAPPED_FIELD_NAMES, type Target } from './alert-fields.ts';
import { type Draft, type DraftField, EMPTY_FIELD, fieldAt } from './draft.ts';
import { describeLookup } from './lookups.ts';

/** One difference between two mappings. `before` or `after` is null if that mapping does not have the part. */
export interface PartChange {
  /** `Template`, `Default`, `Value “P1”`, … */
  part: string;
  before: string | null;
  after: string | null;
}

export interface MappingChange {
  /** The label of the place: `Severity`, `Custom field zone`, `Split`. */
  label: string;
  target: string;
  parts: PartChange[];
}

/** Returns the differences between two drafts, field by field, in display order. */
export function diffDrafts(before: Draft, after: Draft): MappingChange[] {
  return [
    ...place('Split', 'split', [change('List', before.split, after.split)]),
    ...place('Expanded JSON texts', 'expandJson', [
      change('Paths', lines(before.expandJson), lines(after.expandJson)),
    ]),
    ...place('Filter', 'filter', [change('Expression', before.filter, after.filter)]),
    ...place('One problem for each key', 'final', [
      change('Setting', onOff(before.final), onOff(after.final)),
    ]),
    ...place('Texts of an open alert', 'texts', [
      change('First ones are kept', onOff(before.keepsTexts), onOff(after.keepsTexts)),
    ]),
    ...place('Identical events', 'repeatWindowSeconds', [
      change('Counted within', seconds(before.repeatWindowSeconds), seconds(after.repeatWindowSeconds)),
    ]),
    ...lookupNames(before, after).flatMap((name) =>
      place(`Lookup ${name}`, `lookups.${name}`, [
        change('Lookup', lookupOf(before, name), lookupOf(after, name)),
      ]),
    ),
    ...MAPPED_FIELD_NAMES.flatMap((name) => diffTarget(`fields.${name}`, before, after)),
    ...customNames(before, after).flatMap((name) => diffCustom(name, before, after)),
  ];
}

/** Returns the number of differences. */
export const countChanges = (changes: readonly MappingChange[]): number =>
  changes.reduce((sum, { parts }) => sum + parts.length, 0);

const customNames = (before: Draft, after: Draft): string[] => [
  ...new Set([...before.custom, ...after.custom].map(({ name }) => name)),
];

const lookupNames = (before: Draft, after: Draft): string[] => [
  ...new Set([...before.lookups, ...after.lookups].map(({ name }) => name)),
];

const lookupOf = ({ lookups }: Draft, name: string): string | null =>
  describeLookup(lookups.find((one) => one.name === name)?.lookup);

function diffTarget(target: Target, before: Draft, after: Draft): MappingChange[] {
  return place(labelOf(target), target, diffFields(fieldAt(before, target), fieldAt(after, target)));
}

function diffCustom(name: string, before: Draft, after: Draft): MappingChange[] {
  const target: Target = `custom.${name}`;
  const label = `Custom field ${name}`;
  const [had, has] = [before, after].map((draft) => draft.custom.find((one) => one.name === name));
  const parts = diffFields(had?.field ?? EMPTY_FIELD, has?.field ?? EMPTY_FIELD);
  if (had && has) return place(label, target, parts);
  const whole = { part: 'Field', before: had ? name : null, after: has ? name : null };
  return place(label, target, [whole, ...parts]);
}

function diffFields(before: DraftField, after: DraftField): PartChange[] {
  const keys = [...new Set([...Object.keys(before.values), ...Object.keys(after.values)])];
  return [
    change('Template', templateOf(before), templateOf(after)),
    change('Expression', before.expression ?? null, after.expression ?? null),
    change('Default', before.default, after.default),
    change('Ranks', ranksOf(before), ranksOf(after)),
    ...keys.map((key) => change(`Value “${key}”`, mappedTo(before, key), mappedTo(after, key))),
  ].flatMap((one) => one ?? []);
}

/** A field with an expression keeps its template in the draft only. */
const templateOf = ({ template, expression }: DraftField): string | null =>
  expression === undefined ? template : null;

const ranksOf = ({ ranks = [] }: DraftField): string | null =>
  lines(ranks.map(({ word, as }) => `${word} as ${as}`));

const mappedTo = ({ values }: DraftField, key: string): string | null =>
  Object.hasOwn(values, key) ? (values[key] as string) : null;

function change(part: string, before: string | null, after: string | null): PartChange | null {
  const [old, now] = [before || null, after || null];
  return old === now ? null : { part, before: old, after: now };
}

const seconds = (count: number | null): string | null => (count === null ? null : counted(count, 'second'));

const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off');

const lines = (texts: readonly string[]): string | null => texts.join('\n') || null;

function place(label: string, target: string, parts: readonly (PartChange | null)[]): MappingChange[] {
  const there = parts.flatMap((part) => part ?? []);
  return there.length > 0 ? [{ label, target, parts: there }] : [];
}
