import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Job } from '../../http/types.ts';
import { describeCounts } from '../../jobs/job-counts.ts';
import { summarizeOutcome } from '../../jobs/outcome/summarize-outcome.ts';
import { useJob } from '../../jobs/use-job.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { refreshIdentities } from '../use-identities.ts';
import type { UploadDesk } from './use-upload.ts';

/** The jobs of both steps, and whether one of them goes on. Their ends are announced. */
export function useUploadJobs({ jobs, sending }: Pick<UploadDesk, 'jobs' | 'sending'>) {
  const check = useJob(jobs.check);
  const real = useJob(jobs.import);
  const cache = useQueryClient();
  useEndSaid(check.data);
  useEndSaid(real.data);
  const isDone = Boolean(real.data?.finishedAt);
  useEffect(() => {
    if (isDone) void refreshIdentities(cache);
  }, [isDone, cache]);
  return { check, import: real, isBusy: sending !== null || goesOn(check.data) || goesOn(real.data) };
}

const goesOn = (job: Job | undefined): boolean => job !== undefined && job.finishedAt === null;

function useEndSaid(job: Job | undefined): void {
  const said = job?.finishedAt ? wordsOf(job) : null;
  useEffect(() => {
    if (said) announce(said);
  }, [said]);
}

function wordsOf(job: Job): string {
  const { title, text } = summarizeOutcome(job);
  return [`${title}.`, text, job.counts ? describeCounts(job) : ''].filter(Boolean).join(' ');
}
