import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { requestJson } from '../../http/request.ts';
import { RequestFailure } from '../../http/request-failure.ts';
import type { Accepted, Job } from '../../http/types.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { useJob } from '../../jobs/use-job.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { describeRemap } from '../model/remap-text.ts';

/** What to remap. */
interface RemapRequest {
  dryRun: boolean;
  /** Only events of incomplete alerts, and failed ones. */
  onlyIncomplete: boolean;
  /** Only events received at this time or later. */
  from?: string;
  /** The dry run whose plan is applied. */
  planId?: string;
}

export type RemapStage =
  | { name: 'idle' }
  /** `job` is null until its state is loaded. */
  | { name: 'running'; request: RemapRequest; job: Job | null }
  | { name: 'counted' | 'done' | 'unfinished'; request: RemapRequest; job: Job }
  /** The mapping gives the alerts their first key, so a part is not enough. Nothing was started. */
  | { name: 'all needed' }
  | { name: 'failed'; error: unknown };

const FIRST: RemapRequest = { dryRun: true, onlyIncomplete: true };

export type Remap = ReturnType<typeof useRemap>;

/**
 * Remaps the events of incomplete alerts, all since a time, or all: first as a dry run, then for real.
 * @param describe returns what a dry run or a remap has counted as a text, which is announced
 */
export function useRemap(webhookId: string, describe = describeRemap) {
  const cache = useQueryClient();
  const once = useSendOnce();
  const start = useMutation({
    mutationFn: (request: RemapRequest) => once(request, (key) => startRemap(webhookId, request, key)),
  });
  const { data, error } = useJob(start.data?.jobId ?? null);
  const job = data ?? null;
  const stage = start.isIdle
    ? ({ name: 'idle' } as const)
    : stageOf(start.variables ?? FIRST, job, start.error ?? (job ? null : error));
  const end = stage.name === 'counted' || stage.name === 'done' ? stage.name : null;
  const summary = end && describe(job?.counts ?? {}, end === 'done', start.variables?.onlyIncomplete);
  useEffect(() => {
    if (summary) announce(summary);
  }, [summary]);
  useEffect(() => {
    if (end !== 'done') return;
    for (const name of ['incomplete alerts', '/v2/alerts', 'alert', '/v2/events', 'event']) {
      void cache.invalidateQueries({ queryKey: [name] });
    }
  }, [end, cache]);
  return { stage, summary, run: start.mutate, reset: start.reset };
}

function stageOf(request: RemapRequest, job: Job | null, error: unknown): RemapStage {
  if (error instanceof RequestFailure && error.code === 'all_events_needed') return { name: 'all needed' };
  if (error) return { name: 'failed', error };
  if (!job?.finishedAt) return { name: 'running', request, job };
  if (!job.state.startsWith('completed')) return { name: 'unfinished', request, job };
  return { name: request.dryRun ? 'counted' : 'done', request, job };
}

function startRemap(webhookId: string, { planId, ...json }: RemapRequest, key: string): Promise<Accepted> {
  const headers = { prefer: 'respond-async', 'idempotency-key': key };
  return planId
    ? requestJson(`/v2/jobs/${planId}/apply`, { method: 'POST', headers })
    : requestJson(`/v2/webhooks/${webhookId}/remap`, { method: 'POST', headers, json });
}
