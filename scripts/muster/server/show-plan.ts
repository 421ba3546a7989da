import { counted, wholeNumber } from '../../../workers/text/quantities.js';
import { printable } from '../../text/printable.js';
import type { Effect } from './effect.js';
import type { Plan } from './plan.js';
import type { Applied, PlannedChange } from './planned-change.js';

const SIGNS = { create: '+', change: '~', delete: '-' } as const;
const MAX_VALUE = 100;

/** Returns a plan as text for a person. */
export function showPlan({ changes, unchanged }: Plan): string {
  const lines = changes.flatMap(linesOf);
  const count = (action: PlannedChange['action']) => changes.filter((one) => one.action === action).length;
  const sum = `${count('create')} to create, ${count('change')} to change, ${count('delete')} to delete, ${unchanged} unchanged`;
  return `${[...lines, sum].join('\n')}\n`;
}

/** Returns the name of what is changed; other kinds than integrations with what it is. */
const titleOf = ({ kind, name }: Pick<PlannedChange, 'kind' | 'name'>): string =>
  kind === 'integration' ? printable(name) : `${kind} ${printable(name)}`;

function linesOf(change: PlannedChange): string[] {
  const { action, file, changes, warnings, dropsAll, effect } = change;
  const shown = action === 'change' ? changes : [];
  return [
    `${SIGNS[action]} ${titleOf(change)}${file === null ? '' : `  (${printable(file)})`}`,
    ...shown.map(({ path, before, after }) => `    ${printable(path)}: ${textOf(before)} → ${textOf(after)}`),
    ...(action === 'change' && changes.some(({ path }) => path === 'signature.secret')
      ? ['    the secret is replaced; the old one stays valid for a day']
      : []),
    ...(dropsAll ? ['    ! the filter would drop all of the newest events'] : []),
    ...warnings.map(({ field, message }) => `    ! ${printable(field)}: ${printable(message)}`),
    ...(effect ? effectLines(effect).map((line) => `    ${line}`) : []),
    '',
  ];
}

function textOf(value: unknown): string {
  const text = printable(JSON.stringify(value));
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

function effectLines({ events, changed, added, removed, failed, fields, unknown }: Effect): string[] {
  if (unknown !== null) return [`what it means for stored events is not known: ${printable(unknown)}`];
  if (events === 0) return ['there are no stored events to try it on'];
  const parts = [
    `${counted(changed, 'alert')} would be other ones`,
    ...(added > 0 ? [`${wholeNumber(added)} new`] : []),
    ...(removed > 0 ? [`${wholeNumber(removed)} gone`] : []),
    ...(failed > 0 ? [`${counted(failed, 'event')} could not be mapped`] : []),
  ];
  return [
    `of the newest ${counted(events, 'event')}: ${parts.join(', ')}`,
    ...fields.map(({ field, count, values, example }) => {
      const pairs = values.map(
        ({ before, after, count }) => `${before || '(none)'} → ${after || '(none)'} (${wholeNumber(count)})`,
      );
      return `  ${wholeNumber(count)} × ${field}${pairs.length > 0 ? `: ${printable(pairs.join(', '))}` : ''}, for example event ${example}`;
    }),
  ];
}

const WORDS = { create: 'created', change: 'changed', delete: 'deleted' } as const;

/** Returns what became of a change as text for a person. */
export function showApplied({ change, outcome, reason = '' }: Applied): string {
  const title = titleOf(change);
  if (outcome === 'applied') return `${WORDS[change.action]} ${title}\n`;
  return outcome === 'already' ? `already done: ${title}\n` : `REFUSED ${title}: ${printable(reason)}\n`;
}

/** Returns what became of a plan in one line. @param planned the changes of the plan */
export function sumOfApplied(results: readonly Applied[], planned: number): string {
  const count = (outcome: Applied['outcome']) => results.filter((one) => one.outcome === outcome).length;
  const left = planned - results.length;
  const sum = `${count('applied')} applied, ${count('already')} already done, ${count('refused')} refused`;
  return `${sum}${left > 0 ? `, ${left} not done: apply the plan again` : ''}\n`;
}
