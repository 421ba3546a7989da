import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { requestJson } from '../../http/request.ts';
import type { Accepted, Job, One } from '../../http/types.ts';
import { announce } from '../../parts/announce.tsx';
import { remapInWords } from '../model/remap-in-words.ts';

const WAIT_S = 20;
const POLL_MS = 1_000;

export type RemapStage =
  | { name: 'idle' }
  /** `job`: how far it is, once that is known. */
  | { name: 'running'; dryRun: boolean; job: Job | null }
  | { name: 'counted' | 'done'; job: Job }
  | { name: 'failed'; error: unknown };

/** Maps the events of incomplete alerts again: first counted only, then done. */
export function useRemap(webhookId: string) {
  const [stage, setStage] = useState<RemapStage>({ name: 'idle' });
  const [closing] = useState(() => new AbortController());
  const cache = useQueryClient();
  useEffect(() => () => closing.abort(), [closing]);
  const run = async (dryRun: boolean) => {
    setStage({ name: 'running', dryRun, job: null });
    try {
      const begun = await begin(webhookId, dryRun);
      const job = await untilEnd(begun, closing.signal, (now) =>
        setStage({ name: 'running', dryRun, job: now }),
      );
      setStage({ name: dryRun ? 'counted' : 'done', job });
      announce(remapInWords(job.counts ?? {}, !dryRun));
      if (!dryRun) void cache.invalidateQueries({ queryKey: ['incomplete alerts', webhookId] });
    } catch (error) {
      if (!closing.signal.aborted) setStage({ name: 'failed', error });
    }
  };
  return { stage, run, reset: () => setStage({ name: 'idle' }) };
}

/** The job, ended if it was quick. */
async function begin(webhookId: string, dryRun: boolean): Promise<Job | string> {
  const answer = await requestJson<One<Job> | Accepted>(`/v2/webhooks/${webhookId}/remap`, {
    method: 'POST',
    headers: { prefer: `wait=${WAIT_S}` },
    json: { onlyIncomplete: true, dryRun },
  });
  return 'data' in answer ? answer.data : answer.jobId;
}

async function untilEnd(begun: Job | string, signal: AbortSignal, tell: (job: Job) => void): Promise<Job> {
  let job = typeof begun === 'string' ? await readJob(begun, signal) : begun;
  while (!job.finishedAt) {
    tell(job);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    job = await readJob(job.id, signal);
  }
  if (job.state.startsWith('completed')) return job;
  throw new Error(job.error?.message ?? `The job was ${job.state}.`);
}

const readJob = async (id: string, signal: AbortSignal): Promise<Job> =>
  (await requestJson<One<Job>>(`/v2/jobs/${id}`, { signal })).data;
