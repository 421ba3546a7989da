import type { MappedField } from '../../../http/types.ts';
import { diffDrafts, type MappingChange } from './diff.ts';
import type { Draft } from './draft.ts';

/** Two drafts of the same revision, merged. */
export interface MergedDrafts {
  /** My draft, with the other person's changes to places that I did not change. */
  draft: Draft;
  /** The labels of those places. */
  taken: string[];
  /** The places that both changed: `before` is theirs, `after` is mine. The draft has mine. */
  conflicts: MappingChange[];
}

/** Merges the other person's mapping into my draft, place by place. Both started from `base`. */
export function mergeDrafts(base: Draft, theirs: Draft, mine: Draft): MergedDrafts {
  const changedByMe = new Set(diffDrafts(base, mine).map(({ target }) => target));
  const onlyTheirs = diffDrafts(base, theirs).filter(({ target }) => !changedByMe.has(target));
  const changedByThem = new Set(diffDrafts(base, theirs).map(({ target }) => target));
  const isConflict = ({ target }: MappingChange) => changedByMe.has(target) && changedByThem.has(target);
  return {
    draft: onlyTheirs.reduce((draft, { target }) => takePlace(draft, target, theirs), mine),
    taken: onlyTheirs.map(({ label }) => label),
    conflicts: diffDrafts(theirs, mine).filter(isConflict),
  };
}

/** Returns the draft with one place as another draft has it. */
export function takePlace(draft: Draft, target: string, from: Draft): Draft {
  if (target === 'split') return { ...draft, split: from.split };
  if (target === 'expandJson') return { ...draft, expandJson: from.expandJson };
  if (target === 'filter') return { ...draft, filter: from.filter };
  if (target === 'texts') return { ...draft, keepsTexts: from.keepsTexts };
  if (target === 'final') return { ...draft, final: from.final };
  if (target === 'repeatWindowSeconds') return { ...draft, repeatWindowSeconds: from.repeatWindowSeconds };
  const name = target.slice(target.indexOf('.') + 1);
  if (target.startsWith('lookups.')) return { ...draft, lookups: takenLookups(draft, name, from) };
  if (target.startsWith('fields.')) {
    const field = name as MappedField;
    return { ...draft, fields: { ...draft.fields, [field]: from.fields[field] } };
  }
  const taken = from.custom.find((one) => one.name === name);
  if (!taken) return { ...draft, custom: draft.custom.filter((one) => one.name !== name) };
  if (!draft.custom.some((one) => one.name === name)) return { ...draft, custom: [...draft.custom, taken] };
  return { ...draft, custom: draft.custom.map((one) => (one.name === name ? taken : one)) };
}

function takenLookups({ lookups }: Draft, name: string, from: Draft): Draft['lookups'] {
  const taken = from.lookups.find((one) => one.name === name);
  if (!taken) return lookups.filter((one) => one.name !== name);
  if (!lookups.some((one) => one.name === name)) return [...lookups, taken];
  return lookups.map((one) => (one.name === name ? taken : one));
}
