import { ruleOfReason } from '../../../../../workers/text/worklist-rules.ts';
import type { RulePrecision } from '../../../http/types.ts';
import { wholeNumber } from '../../../text/quantities.ts';

/** Fewer decisions say little about a rule. */
const FEW = 10;

/** Returns how often the rule of a reason was right, such as `right 41 of 44`. */
export function precisionText(reason: string, precision: readonly RulePrecision[]): string {
  const rule = ruleOfReason(reason);
  if (rule === null) return '';
  const { right, decided } = precision.find((one) => one.rule === rule) ?? { right: 0, decided: 0 };
  if (decided === 0) return 'nobody has decided about this rule yet';
  const text = `right ${wholeNumber(right)} of ${wholeNumber(decided)}`;
  return decided < FEW ? `${text}, too few to tell` : text;
}
