import { standsForNone } from '../identities/record/suspicious-value.js';
import { WORKLIST_RULES, type WorklistRule } from '../text/worklist-rules.js';
import type { Account, Candidate, Developer } from './account.js';
import { compareNames, LIKENESS, type Likeness } from './compare-names.js';
import { type NameForms, nameForms, nameIn } from './name-forms.js';

/** A name of an account or a developer, and where it was found. */
interface Name {
  source: 'identity' | 'name' | 'email';
  forms: NameForms;
}

/** The names of an account, in the forms in which they are compared. */
export interface AccountNames {
  addresses: readonly string[];
  names: readonly Name[];
}

/** A name of a developer: the local part of the email, or an account in an account system. */
interface DeveloperName {
  /** Null for the local part. */
  integrationId: number | null;
  forms: NameForms;
}

/** The names of a developer, in the forms in which they are compared. */
export interface DeveloperNames {
  email: string;
  names: readonly DeveloperName[];
}

/** The same name in another account system says more than the same local part, because people chose both as the name of an account. */
const ALIAS_BONUS = 2;
/** Further evidence for the same developer is seldom independent of the strongest. */
const FURTHER_WEIGHT = 0.5;
const MAX_REASONS = 3;
const MAX_SCORE = 99;
/** What remains of a score if the account has a full display name that fits no name of the developer. */
const OTHER_NAME_FACTOR = 0.75;

export function namesOfAccount({ identity, name, email }: Account): AccountNames {
  const named = (source: Name['source'], text: string): Name[] =>
    nameIn(text) === '' || standsForNone(text) ? [] : [{ source, forms: nameForms(nameIn(text)) }];
  return {
    addresses: [identity, email].filter((text) => text.includes('@')).map((text) => text.toLowerCase()),
    names: [...named('identity', identity), ...named('name', name), ...named('email', email)],
  };
}

export function namesOfDeveloper({ email, aliases }: Developer): DeveloperNames {
  const names: DeveloperName[] = [{ integrationId: null, forms: nameForms(nameIn(email)) }];
  for (const { integrationId, identity } of aliases) {
    if (!standsForNone(identity)) names.push({ integrationId, forms: nameForms(nameIn(identity)) });
  }
  return { email, names };
}

interface Evidence {
  weight: number;
  reason: string;
}

/** Returns the developer as a candidate for an account, or null if nothing suggests it. */
export function findEvidence(account: AccountNames, developer: DeveloperNames): Candidate | null {
  if (account.addresses.includes(developer.email)) {
    return { email: developer.email, score: 100, reason: WORKLIST_RULES.same_email };
  }
  const found = new Map<string, Evidence>();
  let nameFits = false;
  for (const { source, forms } of account.names) {
    for (const { integrationId, forms: other } of developer.names) {
      const likeness = compareNames(forms, other);
      if (likeness === null) continue;
      nameFits ||= source === 'name' && other.isFullName && likeness !== 'part';
      const weight = LIKENESS[likeness] + (integrationId === null ? 0 : ALIAS_BONUS);
      const kind = `${source} ${integrationId === null ? 'email' : 'alias'}`;
      if (weight <= (found.get(kind)?.weight ?? 0)) continue;
      found.set(kind, { weight, reason: describe(source, likeness, integrationId) });
    }
  }
  if (found.size === 0) return null;
  const score = Math.round(
    combine([...found.values()]) * (namesAnother(account, developer, nameFits) ? OTHER_NAME_FACTOR : 1),
  );
  const reasons = [...found.values()].sort((a, b) => b.weight - a.weight).slice(0, MAX_REASONS);
  return { email: developer.email, score, reason: reasons.map(({ reason }) => reason).join('; ') };
}

/** Returns the score of all evidence together: more evidence never lowers it. */
function combine(evidence: readonly Evidence[]): number {
  const weights = evidence.map(({ weight }) => weight / 100).sort((a, b) => b - a);
  const doubt = weights.reduce(
    (rest, weight, at) => rest * (1 - (at === 0 ? weight : weight * FURTHER_WEIGHT)),
    1,
  );
  return Math.min(MAX_SCORE, 100 * (1 - doubt));
}

/** Returns whether the account's display name is the full name of somebody else. */
function namesAnother({ names }: AccountNames, developer: DeveloperNames, nameFits: boolean): boolean {
  if (nameFits || !developer.names.some(({ forms }) => forms.isFullName)) return false;
  return names.some(({ source, forms }) => source === 'name' && forms.isFullName);
}

const PREFIX = { identity: '', name: 'display name: ', email: 'email of the account: ' } as const;

const RULES: Record<Likeness, WorklistRule> = {
  exact: 'same_local_part',
  normalized: 'normalized_name',
  order: 'name_order',
  spelling: 'name_spelling',
  ends: 'first_and_last_name',
  initials: 'initials_and_last_name',
  closeEdit: 'edit_distance',
  digits: 'without_digits',
  given: 'first_name_and_initial',
  edit: 'edit_distance',
  part: 'one_name',
};

function describe(source: Name['source'], likeness: Likeness, integrationId: number | null): string {
  const prefix = PREFIX[source];
  if (integrationId === null) return `${prefix}${WORKLIST_RULES[RULES[likeness]]}`;
  if (likeness === 'exact')
    return `${prefix}${WORKLIST_RULES.known_alias} in account system ${integrationId}`;
  return `${prefix}${WORKLIST_RULES[RULES[likeness]]} of an alias in account system ${integrationId}`;
}
