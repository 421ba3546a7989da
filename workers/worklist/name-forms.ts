import anyAscii from 'any-ascii';

/** Longer texts are no names. */
const MAX_LENGTH = 64;
const MAX_TOKENS = 6;
const MIN_SPELLING = 5;
const MIN_LETTERS = 4;
const MIN_PART = 3;
const DIGRAPH = /([aou])e/g;

/** The forms of a name in which it is compared with another: `Doe, Jane`, `jane.doe` and `JaneDoe` share most of them. */
export interface NameForms {
  /** As it was written, in lower case. */
  exact: string;
  /** Letters and digits in ASCII; empty if it contains no letter. */
  joined: string;
  /** Its words, sorted; empty for a single word. */
  sorted: string;
  /** The last name first, without separators: `doejane`; empty for a single word. */
  reversed: string;
  /** `joined` with ä, ö and ü as one letter, however they were written; empty if it is short. */
  spelling: string;
  /** `joined` without its digits; empty if it has none or the rest is short. */
  letters: string;
  /** The digits of `joined`. */
  digits: string;
  /** First and last word, if there are others in between. */
  ends: string;
  /** Initials and the last name, as login names are made: `jdoe`, `doej`. */
  initials: readonly string[];
  /** The first name and an initial: `janed`. */
  given: readonly string[];
  /** Single words. */
  parts: readonly string[];
  /** Whether it has several words. */
  isFullName: boolean;
}

/**
 * Returns the part of an account's name or address that names a person: the local part of an address, the part after `\`, and the part before
 * `+`, or after it if that before is a number, as in `12345+octocat@users.noreply.github.com`.
 */
export function nameIn(text: string): string {
  const local = text.includes('@') ? text.slice(0, text.lastIndexOf('@')) : text;
  const account = local.slice(local.lastIndexOf('\\') + 1);
  const plus = account.indexOf('+');
  if (plus <= 0) return account;
  return /^\d+$/.test(account.slice(0, plus)) ? account.slice(plus + 1) : account.slice(0, plus);
}

/** Names of roles and mailboxes, which say nothing about a person (RFC 2142, and what people call their own). */
const IMPERSONAL = new Set(
  `abuse account accounts admin administrator bot build ci code contact dev developer email git github gitlab hello hi hostmaster info
  mail mailbox me news no nobody none noreply office post postmaster private release reply root sales security service support team
  test unknown user webmaster work www`.split(/\s+/),
);

/** Returns whether a name is that of a role or a mailbox, or of nobody. */
export const isImpersonal = ({ joined, letters }: NameForms): boolean =>
  IMPERSONAL.has(joined) || IMPERSONAL.has(letters);

/** Returns the forms of a name. Takes about 2 µs. */
export function nameForms(text: string): NameForms {
  const exact = text.toLowerCase();
  const words = wordsOf(text.slice(0, MAX_LENGTH));
  const joined = words.join('');
  const letters = joined.replace(/\d+/g, '');
  if (letters === '') return { ...NO_FORMS, exact };
  // Numbers are not names of people: `octo-1` is not the first name and initial of `octo-17`.
  const named = words.filter((word) => HAS_LETTER.test(word));
  const [first = '', last = ''] = [named[0], named.at(-1)];
  const several = named.length > 1;
  const spelling = joined.replace(DIGRAPH, '$1');
  return {
    exact,
    joined,
    sorted: several ? [...words].sort().join(' ') : '',
    reversed: several ? `${last}${named.slice(0, -1).join('')}` : '',
    spelling: spelling.length < MIN_SPELLING ? '' : spelling,
    letters: letters === joined || letters.length < MIN_LETTERS ? '' : letters,
    digits: joined.replace(/\D+/g, ''),
    ends: named.length > 2 ? `${first}${last}` : '',
    initials: several ? initialsOf(named) : [],
    given: several ? [`${first}${last[0]}`, `${last[0]}${first}`] : [],
    parts: several ? [first, last, named.slice(1).join('')].filter(({ length }) => length >= MIN_PART) : [],
    isFullName: several,
  };
}

function initialsOf(words: readonly string[]): string[] {
  const [first = '', last = ''] = [words[0], words.at(-1)];
  const forms = [`${first[0]}${last}`, `${last}${first[0]}`];
  if (words.length === 2) return forms;
  const before = words.slice(0, -1).map((word) => word[0]);
  return [...forms, `${before.join('')}${last}`, `${first[0]}${words.slice(1).join('')}`];
}

const HAS_LETTER = /[a-z]/;
const CAMEL_CASE = /([a-z])(?=[A-Z])/g;
const NOT_ASCII = /[^\0-\x7f]/;

/** Returns the words of a name in lower-case ASCII, the first name first. */
function wordsOf(text: string): string[] {
  const ascii = NOT_ASCII.test(text) ? anyAscii(text.normalize('NFC')) : text;
  const comma = ascii.indexOf(',');
  const ordered = comma > 0 ? `${ascii.slice(comma + 1)} ${ascii.slice(0, comma)}` : ascii;
  const spaced = ordered.replace(/['’`]/g, '').replace(CAMEL_CASE, '$1 ');
  const words = spaced.toLowerCase().split(/[^a-z0-9]+/);
  return words.filter((word) => word !== '').slice(0, MAX_TOKENS);
}

const NO_FORMS: NameForms = {
  exact: '',
  joined: '',
  sorted: '',
  reversed: '',
  spelling: '',
  letters: '',
  digits: '',
  ends: '',
  initials: [],
  given: [],
  parts: [],
  isFullName: false,
};
