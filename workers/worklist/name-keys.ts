import { MIN_EDITED } from './compare-names.js';
import { isImpersonal, type NameForms } from './name-forms.js';

/** Longer names are not compared by edits, because each letter is a key. */
const MAX_EDITED = 32;
const NINE = 0x39;

/**
 * Returns the keys under which a name is stored, so that `searchKeys` of a name that resembles it has one of them, see `compareNames`. Names that
 * do not resemble each other may share a key too, so names that are found are compared. A name that derives from another, such as `jdoe`
 * from `Jane Doe`, is found from both sides, but two full names do not share the keys of what derives from them: that would
 * compare all people with the same first name.
 */
export function storedKeys(forms: NameForms): string[] {
  const more = derived(forms).map((form) => `derived ${form}`);
  return [...sameNameKeys(forms), ...commonKeys(forms), ...more];
}

/** Returns the keys by which names that resemble this one are found, except for those of `sameNameKeys`. */
export function searchKeys(forms: NameForms): string[] {
  if (isImpersonal(forms) || forms.joined === '') return [];
  return [...commonKeys(forms), `derived ${forms.joined}`, ...derived(forms).map((form) => `joined ${form}`)];
}

/** Returns the keys by which the same name is found, however it is written. */
export function sameNameKeys(forms: NameForms): string[] {
  if (isImpersonal(forms)) return [];
  const exact = `exact ${forms.exact}`;
  return forms.joined === '' ? [exact] : [exact, `joined ${forms.joined}`];
}

function commonKeys(forms: NameForms): string[] {
  const { joined, sorted, spelling, digits } = forms;
  if (isImpersonal(forms) || joined === '') return [];
  const keys: string[] = [];
  if (sorted !== '') keys.push(`sorted ${sorted}`);
  if (spelling !== '') keys.push(`spelling ${spelling}`);
  if (joined.length >= MIN_EDITED - 1 && joined.length <= MAX_EDITED) {
    // Names at a distance of one edit have a form in common in which each lacks at most one letter. Numbers are not edited.
    keys.push(`edited ${digits} ${joined}`);
    for (let at = 0; at < joined.length; at++) {
      const isLetter = joined.charCodeAt(at) > NINE;
      if (isLetter) keys.push(`edited ${digits} ${joined.slice(0, at)}${joined.slice(at + 1)}`);
    }
  }
  return keys;
}

const derived = ({ letters, reversed, ends, initials, given, parts }: NameForms): string[] =>
  [letters, reversed, ends, ...initials, ...given, ...parts].filter((form) => form !== '');
