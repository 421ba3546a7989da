import { useQueryClient } from '@tanstack/react-query';
import { tell } from '../parts/tell.tsx';
import { outcomeOf } from './outcome.ts';
import { readAnew } from './use-identities.ts';
import type { Written } from './write.ts';

/** Carries a change out, says what became of it, and has the list read anew. */
export function useWrite() {
  const cache = useQueryClient();
  return async (written: Promise<Written>, owner = '') => {
    const { counts, jobId } = await written;
    const link = counts ? undefined : { href: `/jobs/${jobId}`, text: 'See the job' };
    tell({ ...outcomeOf(counts, owner), link });
    await readAnew(cache);
  };
}
