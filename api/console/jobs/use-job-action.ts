import { useQueryClient } from '@tanstack/react-query';
import { requestJson } from '../http/request.ts';
import type { Job, One, Scope } from '../http/types.ts';
import { useMay } from '../http/use-current-key.ts';
import { useSendOnce } from '../http/use-send-once.ts';
import { announce } from '../parts/feedback/announce.tsx';
import { jobKey } from './use-job.ts';

/** Asks for a job to be canceled or tried again; what is shown of it is read anew. */
export function useJobAction(id: string) {
  const cache = useQueryClient();
  const once = useSendOnce();
  const act = async (action: 'cancel' | 'retry', said: string) => {
    const answer = await once(action, (key) =>
      requestJson<One<Job>>(`/v2/jobs/${id}/${action}`, {
        method: 'POST',
        headers: { 'idempotency-key': key },
      }),
    );
    // An answer on its way is from before the change.
    await cache.cancelQueries({ queryKey: jobKey(id) });
    cache.setQueryData(jobKey(id), answer);
    announce(said);
    void cache.invalidateQueries({ queryKey: ['/v2/jobs'] });
  };
  return {
    cancel: () => act('cancel', 'The job is asked to stop'),
    retry: () => act('retry', 'The job is tried again'),
  };
}

/** Whether the signed-in key may cancel and retry jobs of this type. */
export function useMayChange(type: string): boolean {
  const scope: Scope = type === 'alert-remap' ? 'webhooks:write' : 'developer_records:write';
  return useMay(scope);
}
