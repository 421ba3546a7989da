import { useQueryClient } from '@tanstack/react-query';
import { useSendOnce } from '../../http/use-send-once.ts';
import { notify } from '../../parts/feedback/notify.tsx';
import { refreshIdentities } from '../use-identities.ts';
import { describeWrite } from './write-outcome.ts';
import type { Written } from './write-record.ts';

/** Carries a change out, says what became of it, and has the list read anew. */
export function useWriteRecord() {
  const cache = useQueryClient();
  const once = useSendOnce();
  return async (record: object, send: (key: string) => Promise<Written>, owner = '') => {
    const { counts, jobId } = await once(record, send);
    const link = counts ? undefined : { href: `/jobs/${jobId}`, text: 'See the job' };
    notify({ ...describeWrite(counts, owner), link });
    await refreshIdentities(cache);
  };
}
