import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { requestJson } from '../../http/request.ts';
import type { Accepted, Job } from '../../http/types.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { useJob } from '../../jobs/use-job.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { describeRemap } from '../model/remap-text.ts';

export type RemapStage =
  | { name: 'idle' }
  /** `job` is null until its state is loaded. */
  | { name: 'running'; dryRun: boolean; job: Job | null }
  | { name: 'counted' | 'done' | 'unfinished'; job: Job }
  | { name: 'failed'; error: unknown };

/** Remaps the events of incomplete alerts: first as a dry run, then for real. */
export function useRemap(webhookId: string) {
  const cache = useQueryClient();
  const once = useSendOnce();
  const start = useMutation({
    mutationFn: (dryRun: boolean) => once(dryRun, (key) => startRemap(webhookId, dryRun, key)),
  });
  const { data, error } = useJob(start.data?.jobId ?? null);
  const job = data ?? null;
  const stage = start.isIdle
    ? ({ name: 'idle' } as const)
    : stageOf(start.variables ?? true, job, start.error ?? (job ? null : error));
  const end = stage.name === 'counted' || stage.name === 'done' ? stage.name : null;
  const summary = end && describeRemap(job?.counts ?? {}, end === 'done');
  useEffect(() => {
    if (summary) announce(summary);
  }, [summary]);
  useEffect(() => {
    if (end !== 'done') return;
    for (const name of ['incomplete alerts', '/v2/alerts', 'alert', '/v2/events', 'event']) {
      void cache.invalidateQueries({ queryKey: [name] });
    }
  }, [end, cache]);
  return { stage, run: start.mutate, reset: start.reset };
}

function stageOf(dryRun: boolean, job: Job | null, error: unknown): RemapStage {
  if (error) return { name: 'failed', error };
  if (!job?.finishedAt) return { name: 'running', dryRun, job };
  if (!job.state.startsWith('completed')) return { name: 'unfinished', job };
  return { name: dryRun ? 'counted' : 'done', job };
}

const startRemap = (webhookId: string, dryRun: boolean, key: string): Promise<Accepted> =>
  requestJson(`/v2/webhooks/${webhookId}/remap`, {
    method: 'POST',
    headers: { prefer: 'respond-async', 'idempotency-key': key },
    json: { onlyIncomplete: true, dryRun },
  });
