import { useMutation, useQueryClient } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { Accepted } from '../../http/types.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { noteStarted } from '../notices/started-jobs.ts';

interface ApplyOptions {
  onConflict: string;
  reason?: string;
  /** The destination that is told when the job ends. */
  callback?: string | undefined;
}

/** Applies the plan of a dry run, and passes on the id of the job that does it. */
export function useApplyPlan(planId: string, onAccepted: (jobId: string) => void) {
  const cache = useQueryClient();
  const once = useSendOnce();
  return useMutation({
    mutationFn: ({ reason = '', ...query }: ApplyOptions) =>
      once([planId, query, reason], (key) =>
        requestJson<Accepted>(`/v2/jobs/${planId}/apply`, {
          method: 'POST',
          query,
          json: { reason },
          headers: { 'idempotency-key': key, prefer: 'respond-async' },
        }),
      ),
    onSuccess: ({ jobId }) => {
      noteStarted(jobId);
      void cache.invalidateQueries({ queryKey: ['/v2/jobs'] });
      onAccepted(jobId);
    },
  });
}
