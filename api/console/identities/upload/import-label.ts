import type { Job } from '../../http/types.ts';
import { counted } from '../../text/quantities.ts';
import type { Mode } from './upload-state.ts';

/** Returns what the button does that sends the file of a dry run again, with its counts. */
export function importLabel({ counts }: Pick<Job, 'counts'>, mode: Mode): string {
  const { total = 0, rejected = 0, removed = 0 } = counts ?? {};
  return label(mode === 'remove' ? '' : `Import ${counted(total - rejected, 'row')}`, removed);
}

/** Returns what the button does that applies the plan of a dry run. @param plan how many changes it has, if that is known */
export function planLabel({ counts }: Pick<Job, 'counts'>, plan: number | 'unknown'): string {
  if (plan === 'unknown') return 'Apply the plan';
  const removed = counts?.removed ?? 0;
  return label(plan > removed ? `Apply ${counted(plan - removed, 'change')}` : '', removed);
}

function label(write: string, removed: number): string {
  const accounts = counted(removed, 'account');
  if (write === '') return `Remove ${accounts}`;
  return removed > 0 ? `${write} and remove ${accounts}` : write;
}
