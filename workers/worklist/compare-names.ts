import { editDistance } from '../text/edit-distance.js';
import { isImpersonal, type NameForms } from './name-forms.js';

/**
 * How two names can resemble each other, the strongest first, and how likely that makes one person, in percent. These are judgements
 * and not probabilities: they decide the order of candidates.
 */
export const LIKENESS = {
  exact: 92,
  normalized: 84,
  order: 80,
  spelling: 72,
  ends: 70,
  initials: 66,
  closeEdit: 60,
  digits: 58,
  given: 56,
  edit: 48,
  part: 30,
} as const;

export type Likeness = keyof typeof LIKENESS;

/** Shorter names differ from many others by one letter. */
export const MIN_EDITED = 5;
const LONG_NAME = 8;

/** Returns how a name resembles another, or null if it does not. */
export function compareNames(one: NameForms, other: NameForms): Likeness | null {
  if (isImpersonal(one) || isImpersonal(other)) return null;
  if (one.exact === other.exact) return 'exact';
  if (one.joined === '' || other.joined === '') return null;
  if (one.joined === other.joined) return 'normalized';
  if (isReordered(one, other)) return 'order';
  if (one.spelling !== '' && one.spelling === other.spelling) return 'spelling';
  if (isEnds(one, other) || isEnds(other, one)) return 'ends';
  if (has(one.initials, other) || has(other.initials, one)) return 'initials';
  const edited = compareEdits(one, other);
  if (edited === 'closeEdit') return edited;
  if (isNumbered(one, other) || isNumbered(other, one)) return 'digits';
  if (has(one.given, other) || has(other.given, one)) return 'given';
  if (edited) return edited;
  return isPart(one, other) || isPart(other, one) ? 'part' : null;
}

const has = (forms: readonly string[], { joined }: NameForms): boolean => forms.includes(joined);

const isReordered = (one: NameForms, other: NameForms): boolean =>
  (one.sorted !== '' && one.sorted === other.sorted) ||
  one.reversed === other.joined ||
  other.reversed === one.joined;

const isNumbered = (one: NameForms, other: NameForms): boolean =>
  one.letters !== '' && one.letters === other.joined;

const isEnds = (one: NameForms, other: NameForms): boolean => one.ends !== '' && one.ends === other.joined;

const isPart = (full: NameForms, single: NameForms): boolean =>
  !single.isFullName && full.parts.includes(single.joined);

/** Names with different numbers are different names: `u1041` is not a misspelling of `u1042`. */
function compareEdits(one: NameForms, other: NameForms): Likeness | null {
  const [a, b] = [one.joined, other.joined];
  const length = Math.min(a.length, b.length);
  if (length < MIN_EDITED || Math.abs(a.length - b.length) > 1 || one.digits !== other.digits) return null;
  if (editDistance(a, b) > 1) return null;
  return length >= LONG_NAME ? 'closeEdit' : 'edit';
}
