import { codeParts } from '../../text/code-parts.ts';
import { SEVERITIES } from './draft/alert-fields.ts';
import { type DraftField, sourceOf } from './draft/draft.ts';
import { hasRank } from './draft/own-ranks.ts';
import type { PreviewedField } from './previewed.ts';

export type ResultTone = 'good' | 'warn' | 'bad' | 'plain';

/** A fix that the user can apply with one click. */
export type Remedy =
  | { kind: 'use'; path: string; nearest: string; expandJson?: string }
  | { kind: 'map'; value: string };

/** The description of a field's result. */
interface ResultLine {
  tone: ResultTone;
  /** The value of the field. */
  value: string | null;
  /** The reason. Parts at even indexes are prose, parts at odd indexes are a path or value of the payload. */
  reason: string[];
  remedy: Remedy | null;
}

interface Situation {
  field: DraftField;
  required: boolean;
  /** Whether the value is `firing` or `resolved`, whatever the word of the payload is. */
  isStatus: boolean;
  /** Whether the value should be a severity that Muster knows. */
  isSeverity: boolean;
  /** Returns the payload's value at a path; undefined if there is none or it is not known. */
  sampleOf(path: string): string | undefined;
}

/** Describes the result of a field, its reason, and a fix if there is one. */
export function toResultLine(result: PreviewedField, situation: Situation): ResultLine {
  if (result.result === 'resolved') return explainResolved(result, situation);
  if (result.result === 'defaulted') return explainDefaulted(result);
  return explainMissing(result, situation);
}

const UNMAPPED: ReadonlyMap<string, string> = new Map([
  ['unmapped_value', ' is not in the value map'],
  ['unknown_severity', ` is not one of ${SEVERITIES.join(', ')}`],
  ['unknown_status', ' is not a known status word, so it counts as firing'],
]);

function explainResolved(result: PreviewedField, situation: Situation): ResultLine {
  const unmapped = unmappedWord(result);
  const isUnknown = result.warnings.some(({ code }) => code === 'unknown_severity');
  if (unmapped && !isUnknown) return { tone: 'warn', value: result.value, ...unmapped };
  if (situation.isSeverity && result.value !== null && !hasRank(result.value, situation.field.ranks)) {
    const reason = [`is not one of ${SEVERITIES.join(', ')}`];
    return { tone: 'warn', value: result.value, reason, remedy: { kind: 'map', value: result.value } };
  }
  const [warning] = result.warnings;
  if (warning) return { tone: 'warn', value: result.value, reason: codeParts(warning.message), remedy: null };
  return { tone: 'good', value: result.value, reason: mappedReason(result, situation), remedy: null };
}

/** Describes the first word that the value map lacks, and offers to add it. */
function unmappedWord({ warnings }: PreviewedField): Pick<ResultLine, 'reason' | 'remedy'> | null {
  const unmapped = warnings.find(({ code }) => UNMAPPED.has(code));
  if (!unmapped) return null;
  const { code, value = '' } = unmapped;
  return { reason: ['', value, UNMAPPED.get(code) ?? ''], remedy: { kind: 'map', value } };
}

/** Describes which value of the payload the value map has replaced, or a status stands for, if that can be determined. */
function mappedReason(
  { value, paths, absent = [] }: PreviewedField,
  { field, isStatus, sampleOf }: Situation,
): string[] {
  const entries = Object.entries(field.values);
  if (entries.length === 0 && !isStatus) return [];
  const found = paths.filter((path) => !absent.includes(path)).flatMap((path) => sampleOf(path) ?? []);
  if (isStatus) return found[0] === undefined || fold(found[0]) === value ? [] : ['from ', found[0]];
  const source = found.find((sample) =>
    entries.some(([from, to]) => to === value && fold(from) === fold(sample)),
  );
  return source === undefined ? ['from the value map'] : ['mapped from ', source];
}

const fold = (text: string): string => text.trim().toLowerCase();

function explainDefaulted(result: PreviewedField): ResultLine {
  const unmapped = unmappedWord(result);
  if (unmapped) return { tone: 'warn', value: result.value, ...unmapped };
  const { text, remedy } = explainPaths(result);
  const reason = text.length > 0 ? ['default: ', ...shiftProse(text)] : ['default'];
  return { tone: 'warn', value: result.value, reason, remedy };
}

function explainMissing(result: PreviewedField, { field, required }: Situation): ResultLine {
  const source = field.expression === undefined ? 'template' : 'expression';
  if (sourceOf(field).trim() === '') {
    const reason = [required ? `required, but has no ${source}` : `no ${source}`];
    return { tone: required ? 'bad' : 'plain', value: null, reason, remedy: null };
  }
  const placeholder = result.warnings.find(({ code }) => code === 'placeholder');
  if (placeholder) {
    const reason = ['the sender wrote ', placeholder.value ?? '', ' in place of a value'];
    return { tone: 'bad', value: result.value, reason, remedy: null };
  }
  const { text, remedy } = explainPaths(result);
  if (text.length > 0) return { tone: 'bad', value: result.value, reason: text, remedy };
  const [failure] = result.warnings;
  const reason = failure ? codeParts(failure.message) : [`the ${source} renders nothing`];
  return { tone: 'bad', value: result.value, reason, remedy };
}

/** Describes the first path that has no value, how many more there are, and which path was probably meant. */
function explainPaths({ missing }: PreviewedField): { text: string[]; remedy: Remedy | null } {
  const [first] = missing;
  if (!first) return { text: [], remedy: null };
  const described = missing.find(({ nearest }) => nearest !== null) ?? first;
  const others = missing.length > 1 ? ` (and ${missing.length - 1} more)` : '';
  const { path, nearest, expandJson } = described;
  const isMissing = ` is missing${others}`;
  if (nearest === null) return { text: ['', path, isMissing], remedy: null };
  const use = { kind: 'use', path, nearest } as const;
  if (expandJson) {
    const text = ['', path, `${isMissing}. It may be inside the JSON text `, expandJson];
    return { text, remedy: { ...use, expandJson } };
  }
  return { text: ['', path, `${isMissing}. Did you mean `, nearest, '?'], remedy: use };
}

/** Returns the parts without their first, empty prose, for appending them to other prose. */
const shiftProse = ([, ...rest]: string[]): string[] => rest;
