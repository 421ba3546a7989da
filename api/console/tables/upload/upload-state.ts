import type { FileMethod } from '../../http/send-file.ts';
import type { Step } from '../../identities/upload/upload-state.ts';

/** The options of an upload as texts, as the page's address has them. An empty text is an option that is not set. */
export interface TableOptions {
  /** `merge`: rows whose keys the file does not name stay. */
  mode: string;
  /** The names of the key columns, separated by commas. */
  key: string;
  matching: string;
  onError: string;
  charset: string;
}

/** Reads the options and the job of each step from the address. A new table has no rows to merge with, whatever the address says. */
export function readTableUpload(search: URLSearchParams, isNew: boolean) {
  const at = (name: keyof TableOptions): string => search.get(name) ?? '';
  const options: TableOptions = {
    mode: isNew ? '' : at('mode'),
    key: at('key'),
    matching: at('matching'),
    onError: at('onError'),
    charset: at('charset'),
  };
  const jobs: Record<Step, string | null> = { dryRun: search.get('dryRun'), import: search.get('import') };
  return { options, jobs };
}

/** Returns the address with changed options or for another file. Earlier jobs no longer apply. */
export function withTableOptions(search: URLSearchParams, changes: Partial<TableOptions>): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete('dryRun');
  next.delete('import');
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** Returns the method and the query of a step's request. */
export function tableRequest({ mode, key, matching, onError, charset }: TableOptions, step: Step) {
  const isMerge = mode === 'merge';
  const method: FileMethod = isMerge ? 'PATCH' : 'PUT';
  const keys = key
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return {
    method,
    query: {
      ...(isMerge ? {} : { key: keys, matching }),
      onError,
      charset,
      dryRun: step === 'dryRun' ? true : undefined,
    },
  };
}
