import { MIN_EDITED } from './compare-names.js';
import { isImpersonal, type NameForms } from './name-forms.js';

/** Longer names are not compared by edits, because each letter is a key. */
const MAX_EDITED = 32;

/**
 * Returns the keys under which a name is stored, so that `searchKeys` of a name that resembles it has one of them, see `compareNames`. Names that
 * do not resemble each other may share a key too, so names that are found are compared. A name that derives from another, such as `jdoe`
 * from `Jane Doe`, is found from both sides, but two full names do not share the keys of what derives from them: that would
 * compare all people with the same first name.
 */
export function storedKeys(forms: NameForms): string[] {
  return [...commonKeys(forms), ...derived(forms).map((form) => `derived ${form}`)];
}

/** Returns the keys by which names that resemble this one are found. */
export function searchKeys(forms: NameForms): string[] {
  const keys = commonKeys(forms);
  if (keys.length === 0 || forms.joined === '') return keys;
  return [...keys, `derived ${forms.joined}`, ...derived(forms).map((form) => `joined ${form}`)];
}

function commonKeys(forms: NameForms): string[] {
  if (isImpersonal(forms)) return [];
  const { exact, joined, sorted, spelling, letters } = forms;
  if (joined === '') return [`exact ${exact}`];
  const keys = [`exact ${exact}`, `joined ${joined}`];
  if (sorted !== '') keys.push(`sorted ${sorted}`);
  if (spelling !== '') keys.push(`spelling ${spelling}`);
  if (letters !== '') keys.push(`letters ${letters}`);
  if (joined.length >= MIN_EDITED - 1 && joined.length <= MAX_EDITED) {
    // Names at a distance of one edit have a form in common in which each lacks at most one letter.
    keys.push(`edited ${joined}`);
    for (let at = 0; at < joined.length; at++)
      keys.push(`edited ${joined.slice(0, at)}${joined.slice(at + 1)}`);
  }
  return keys;
}

const derived = ({ reversed, ends, initials, given, parts }: NameForms): string[] =>
  [reversed, ends, ...initials, ...given, ...parts].filter((form) => form !== '');
