import type { DraftField } from './draft/draft.ts';
import type { PreviewedField } from './previewed.ts';

export type ResultTone = 'good' | 'warn' | 'bad' | 'plain';

/** What can be done about a result with one click. */
export type Remedy =
  | { kind: 'use'; path: string; nearest: string; expandJson?: string }
  | { kind: 'map'; value: string };

/** A field's result in words. */
interface ResultLine {
  tone: ResultTone;
  /** What the field will be. */
  value: string | null;
  /** Why; parts in turn are prose and, at odd places, a path or value as it was sent. */
  reason: string[];
  remedy: Remedy | null;
}

interface Situation {
  field: DraftField;
  required: boolean;
  /** What the payload has at a path; undefined: nothing, or not known. */
  sampleOf(path: string): string | undefined;
}

/** Says what became of a field, and why. */
export function toResultLine(result: PreviewedField, situation: Situation): ResultLine {
  if (result.result === 'resolved') return explainResolved(result, situation);
  if (result.result === 'defaulted') return explainDefaulted(result);
  return explainMissing(result, situation);
}

function explainResolved(result: PreviewedField, situation: Situation): ResultLine {
  const unmapped = result.warnings.find(({ code }) => code === 'unmapped_value');
  if (unmapped) {
    const value = unmapped.value ?? '';
    const reason = ['', value, ' is not in the value map'];
    return { tone: 'warn', value: result.value, reason, remedy: { kind: 'map', value } };
  }
  const [warning] = result.warnings;
  if (warning) return { tone: 'warn', value: result.value, reason: [warning.message], remedy: null };
  return { tone: 'good', value: result.value, reason: mappedReason(result, situation), remedy: null };
}

/** Which value of the payload the map has put another in the place of, as far as it can be told. */
function mappedReason(
  { value, paths, absent = [] }: PreviewedField,
  { field, sampleOf }: Situation,
): string[] {
  const entries = Object.entries(field.values);
  if (entries.length === 0) return [];
  const found = paths.filter((path) => !absent.includes(path)).flatMap((path) => sampleOf(path) ?? []);
  const source = found.find((sample) =>
    entries.some(([from, to]) => to === value && fold(from) === fold(sample)),
  );
  return source === undefined ? ['by the value map'] : ['', source, ' in the value map'];
}

const fold = (text: string): string => text.trim().toLowerCase();

function explainDefaulted(result: PreviewedField): ResultLine {
  const { text, remedy } = explainPaths(result);
  const reason = text.length > 0 ? ['default: ', ...shiftProse(text)] : ['default'];
  return { tone: 'warn', value: result.value, reason, remedy };
}

function explainMissing(result: PreviewedField, { field, required }: Situation): ResultLine {
  if (field.template.trim() === '') {
    const reason = [required ? 'required, and not drawn yet' : 'not drawn'];
    return { tone: required ? 'bad' : 'plain', value: null, reason, remedy: null };
  }
  const { text, remedy } = explainPaths(result);
  const reason = text.length > 0 ? text : ['the template renders nothing'];
  return { tone: 'bad', value: result.value, reason, remedy };
}

/** The first path that found nothing, how many more there are, and what was probably meant. */
function explainPaths({ missing }: PreviewedField): { text: string[]; remedy: Remedy | null } {
  const [first] = missing;
  if (!first) return { text: [], remedy: null };
  const told = missing.find(({ nearest }) => nearest !== null) ?? first;
  const others = missing.length > 1 ? ` (and ${missing.length - 1} more)` : '';
  const text = ['', told.path, ` is missing${others}`];
  if (told.nearest === null) return { text, remedy: null };
  const use = { kind: 'use', path: told.path, nearest: told.nearest } as const;
  if (told.expandJson) {
    const hint = [`${text[2]}; JSON that is not expanded: `, told.expandJson];
    return { text: ['', told.path, ...hint], remedy: { ...use, expandJson: told.expandJson } };
  }
  return { text: ['', told.path, `${text[2]}; nearest: `, told.nearest], remedy: use };
}

/** Parts that are to follow prose: their own first prose is joined to it. */
const shiftProse = ([, ...rest]: string[]): string[] => rest;
