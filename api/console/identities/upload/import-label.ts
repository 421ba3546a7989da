import type { Job } from '../../http/types.ts';
import { counted } from '../../text/quantities.ts';
import type { Mode } from './upload-state.ts';

/** Returns what the button does that follows a dry run, with its counts. */
export function importLabel({ counts }: Pick<Job, 'counts'>, mode: Mode): string {
  const { total = 0, rejected = 0, removed = 0 } = counts ?? {};
  if (mode === 'remove') return `Remove ${counted(removed, 'account')}`;
  const rows = `Import ${counted(total - rejected, 'row')}`;
  return mode === 'mirror' && removed > 0 ? `${rows} and remove ${counted(removed, 'account')}` : rows;
}
