/** An upload has two steps, each a separate job. */
export type Step = 'dryRun' | 'import';

export interface UploadOptions {
  onError: 'abort' | 'continue';
  /** Empty if it is detected from the file. */
  charset: string;
}

/** The upload as stored in the page's address: the options, and the job id of each step. */
interface UploadState {
  options: UploadOptions;
  jobs: Record<Step, string | null>;
}

export const readUploadState = (search: URLSearchParams): UploadState => ({
  options: {
    onError: search.get('onError') === 'continue' ? 'continue' : 'abort',
    charset: search.get('charset') ?? '',
  },
  jobs: { dryRun: search.get('dryRun'), import: search.get('import') },
});

/** Returns the address with the job of a step. A new dry run removes the earlier import. */
export function withJob(search: URLSearchParams, step: Step, jobId: string): URLSearchParams {
  const next = new URLSearchParams(search);
  next.set(step, jobId);
  if (step === 'dryRun') next.delete('import');
  return next;
}

/** Returns the address with changed options or for another file. Earlier jobs no longer apply. */
export function withOptions(search: URLSearchParams, changes: Partial<UploadOptions>): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete('dryRun');
  next.delete('import');
  for (const [name, value] of Object.entries(changes)) {
    if (value === '' || value === 'abort') next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** Returns the query of a step's request. */
export const uploadQuery = ({ onError, charset }: UploadOptions, step: Step) => ({
  onError,
  charset,
  dryRun: step === 'dryRun' ? true : undefined,
});
