import { useQueryClient } from '@tanstack/react-query';
import { requestJson } from '../http/request.ts';
import type { Job, One, Scope } from '../http/types.ts';
import { useMay } from '../http/use-current-key.ts';
import { useSendOnce } from '../http/use-send-once.ts';
import { announce } from '../parts/feedback/announce.tsx';
import { jobKey } from './use-job.ts';

/** Returns functions that cancel and retry a job. Both refresh the job and the job list. */
export function useJobAction(id: string) {
  const cache = useQueryClient();
  const once = useSendOnce();
  const act = async (action: 'cancel' | 'retry', announcement: string) => {
    const response = await once(action, (key) =>
      requestJson<One<Job>>(`/v2/jobs/${id}/${action}`, {
        method: 'POST',
        headers: { 'idempotency-key': key },
      }),
    );
    // A response in flight may show the job before the change.
    await cache.cancelQueries({ queryKey: jobKey(id) });
    cache.setQueryData(jobKey(id), response);
    announce(announcement);
    void cache.invalidateQueries({ queryKey: ['/v2/jobs'] });
  };
  return {
    cancel: () => act('cancel', 'Stopping the job'),
    retry: () => act('retry', 'Retrying the job'),
  };
}

const SCOPES: Readonly<Record<string, Scope>> = {
  'alert-remap': 'webhooks:write',
  'alert-refold': 'alerts:write',
  'alert-resolve': 'alerts:write',
  'message-replay': 'destinations:write',
  'table-upload': 'tables:write',
  'table-export': 'tables:write',
};

/** Returns whether the signed-in key may cancel and retry jobs of this type. */
export function useMayChange(type: string): boolean {
  return useMay(SCOPES[type] ?? 'developer_records:write');
}
