import { useEffect } from 'react';
import { notify } from '../../parts/feedback/notify.tsx';
import { jobTitle } from '../job-names.ts';
import { summarizeOutcome } from '../outcome/summarize-outcome.ts';
import { pollInterval, useJob } from '../use-job.ts';
import { forgetStarted } from './started-jobs.ts';

/** Says that a job has ended, with a link to it, unless the open page is about this job. Renders nothing. */
export default function EndNotice({ jobId }: { jobId: string }) {
  const { data: job, error } = useJob(jobId);
  useEffect(() => {
    const isLost = error !== null && pollInterval(error) === false;
    if (isLost || job?.finishedAt) forgetStarted(jobId);
    // The pages that show a job have its id in their address.
    if (!job?.finishedAt || location.href.includes(jobId)) return;
    const { tone, title, text } = summarizeOutcome(job);
    notify({
      text: `${jobTitle(job)}: ${title}. ${text}`,
      isWarning: tone === 'bad' || tone === 'warn',
      link: { href: `/jobs/${jobId}`, text: 'View job' },
    });
  }, [job, error, jobId]);
  return null;
}
