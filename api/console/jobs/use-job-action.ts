import { useQueryClient } from '@tanstack/react-query';
import { newIdempotencyKey } from '../http/idempotency-key.ts';
import { requestJson } from '../http/request.ts';
import type { Job, One, Scope } from '../http/types.ts';
import { useMay } from '../http/use-current-key.ts';
import { announce } from '../parts/announce.tsx';
import { jobKey } from './use-job.ts';

/** Asks for a job to be canceled or tried again; what is shown of it is read anew. */
export function useJobAction(id: string) {
  const cache = useQueryClient();
  const act = async (action: 'cancel' | 'retry', said: string) => {
    const headers = { 'idempotency-key': newIdempotencyKey() };
    const answer = await requestJson<One<Job>>(`/v2/jobs/${id}/${action}`, { method: 'POST', headers });
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
