import { useQueryClient } from '@tanstack/react-query';
import { useSendOnce } from '../../http/use-send-once.ts';
import { notify } from '../../parts/feedback/notify.tsx';
import { refreshIdentities } from '../use-identities.ts';
import { describeWrite } from './write-outcome.ts';
import type { WriteResponse } from './write-record.ts';

/** Returns a function that sends a change of one identity, shows its outcome and reloads the list. */
export function useWriteRecord() {
  const cache = useQueryClient();
  const once = useSendOnce();
  return async (record: object, send: (key: string) => Promise<WriteResponse>, owner = '') => {
    const { counts, jobId } = await once(record, send);
    const link = counts ? undefined : { href: `/jobs/${jobId}`, text: 'View job' };
    notify({ ...describeWrite(counts, owner), link });
    await refreshIdentities(cache);
  };
}
