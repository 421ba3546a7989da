/** An upload is tried first, and then done. Each is a job of its own. */
export type Step = 'check' | 'import';

export interface UploadOptions {
  onError: 'abort' | 'continue';
  /** Empty: as the file itself shows. */
  charset: string;
}

/** What the address of the page has: the options, and the jobs that the steps became. */
interface UploadState {
  options: UploadOptions;
  jobs: Record<Step, string | null>;
}

export const readUploadState = (search: URLSearchParams): UploadState => ({
  options: {
    onError: search.get('onError') === 'continue' ? 'continue' : 'abort',
    charset: search.get('charset') ?? '',
  },
  jobs: { check: search.get('check'), import: search.get('import') },
});

/** The address once a step has become a job. A new check is not of what was imported before. */
export function withJob(search: URLSearchParams, step: Step, jobId: string): URLSearchParams {
  const next = new URLSearchParams(search);
  next.set(step, jobId);
  if (step === 'check') next.delete('import');
  return next;
}

/** The address with other options, or for another file: what was found before no longer holds. */
export function withOptions(search: URLSearchParams, changes: Partial<UploadOptions>): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete('check');
  next.delete('import');
  for (const [name, value] of Object.entries(changes)) {
    if (value === '' || value === 'abort') next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** The query of the request that is a step. */
export const uploadQuery = ({ onError, charset }: UploadOptions, step: Step) => ({
  onError,
  charset,
  dryRun: step === 'check' ? true : undefined,
});
