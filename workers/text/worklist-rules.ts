/**
 * Rules by which a worklist suggests owners: the code in the API, and the words with which a reason names the rule. In the order of their
 * weights.
 */
export const WORKLIST_RULES = {
  same_email: 'the same email',
  known_alias: 'known alias',
  same_local_part: 'the same local part',
  normalized_name: 'normalized name',
  name_order: 'the names in another order',
  name_spelling: 'the same name with ae, oe or ue',
  first_and_last_name: 'first and last name',
  initials_and_last_name: 'initials and last name',
  edit_distance: 'edit distance 1',
  without_digits: 'the same name without digits',
  first_name_and_initial: 'first name and initial',
  one_name: 'one of the names',
} as const;

export type WorklistRule = keyof typeof WORKLIST_RULES;

export const isWorklistRule = (text: string): text is WorklistRule => Object.hasOwn(WORKLIST_RULES, text);

export const WORKLIST_RULE_CODES = Object.keys(WORKLIST_RULES).filter(isWorklistRule);

/** The reason of a candidate that somebody has decided to be the owner. The reason of the suggestion may follow. */
export const DECIDED = 'decided';

/** Where the name was found comes before the rule, and in which account system after it. */
const REASON =
  /^(?:decided; )?(?:display name: |email of the account: )?(.*?)(?: of an alias)?(?: in account system \d+)?(?:; .*)?$/s;

/**
 * Returns the rule that a reason of a worklist names first, which is the strongest.
 * @returns null if it names none
 */
export function ruleOfReason(reason: string): WorklistRule | null {
  const words = REASON.exec(reason)?.[1];
  return WORKLIST_RULE_CODES.find((code) => WORKLIST_RULES[code] === words) ?? null;
}
