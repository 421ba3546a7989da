import { lazy, Suspense } from 'react';
import { useStartedJobs } from './started-jobs.ts';

/** Loaded with the first job. */
const EndNotice = lazy(() => import('./end-notice.tsx'));

/** Watches the jobs that this tab has started. */
export const EndNotices = () => (
  <Suspense>
    {useStartedJobs().map((jobId) => (
      <EndNotice key={jobId} jobId={jobId} />
    ))}
  </Suspense>
);
