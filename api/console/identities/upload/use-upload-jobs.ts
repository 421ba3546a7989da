import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Job } from '../../http/types.ts';
import { describeCounts } from '../../jobs/job-counts.ts';
import { summarizeOutcome } from '../../jobs/outcome/summarize-outcome.ts';
import { useJob } from '../../jobs/use-job.ts';
import { useAnnounceEnd } from '../../parts/feedback/announce.tsx';
import { refreshIdentities } from '../use-identities.ts';
import type { Steps } from './use-steps.ts';
import type { Upload } from './use-upload.ts';

/** Returns the jobs of both steps, and whether one of them is unfinished. Announces the outcome of each. */
export function useStepJobs({ jobs, sending }: Pick<Steps, 'jobs' | 'sending'>) {
  const dryRun = useJob(jobs.dryRun);
  const importJob = useJob(jobs.import);
  useAnnounceOutcome(jobs.dryRun, dryRun.data);
  useAnnounceOutcome(jobs.import, importJob.data);
  return {
    dryRun,
    import: importJob,
    isBusy: sending !== null || isUnfinished(dryRun.data) || isUnfinished(importJob.data),
  };
}

/** Does the same for an upload of identities, which it loads again afterwards. */
export function useUploadJobs(upload: Pick<Upload, 'jobs' | 'sending'>) {
  const jobs = useStepJobs(upload);
  const cache = useQueryClient();
  const isDone = Boolean(jobs.import.data?.finishedAt);
  useEffect(() => {
    if (isDone) void refreshIdentities(cache);
  }, [isDone, cache]);
  return jobs;
}

const isUnfinished = (job: Job | undefined): boolean => job !== undefined && job.finishedAt === null;

function useAnnounceOutcome(id: string | null, job: Job | undefined): void {
  useAnnounceEnd(id, job && (job.finishedAt ? describeOutcome(job) : null));
}

function describeOutcome(job: Job): string {
  const { title, text } = summarizeOutcome(job);
  return [`${title}.`, text, job.counts ? describeCounts(job) : ''].filter(Boolean).join(' ');
}
