import type { QueryClient } from '@tanstack/react-query';

/** A file that was sent, and the address of the upload page with its options and jobs. */
export interface SentFile {
  file: File;
  fileNumber: number;
  address: string;
}

const KEY = 'sent file';

/**
 * Keeps the file of a job, so that a person who looks at the job's page can come back and import the same file. Browsers hold the
 * place of a file here, not its content. The cache is cleared when another key signs in.
 */
export function keepSentFile(cache: QueryClient, jobId: string, sent: SentFile): void {
  cache.setQueryDefaults([KEY], { gcTime: Number.POSITIVE_INFINITY });
  cache.setQueryData([KEY, jobId], sent);
}

/** Returns the file of a job; undefined if it was sent by another tab or before a reload, or if another file was chosen since. */
export const sentFileOf = (cache: QueryClient, jobId: string | null): SentFile | undefined =>
  cache.getQueryData([KEY, jobId]);

export const forgetSentFiles = (cache: QueryClient): void => cache.removeQueries({ queryKey: [KEY] });
