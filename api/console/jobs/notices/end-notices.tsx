import { lazy, Suspense } from 'react';
import { useStartedJobs } from './started-jobs.ts';

/** Loaded with the first job. Without it, for example after an update of Muster, there are no notices, and the page still works. */
const EndNotice = lazy(() => import('./end-notice.tsx').catch(() => ({ default: () => null })));

/** Watches the jobs that this tab has started. */
export const EndNotices = () => (
  <Suspense>
    {useStartedJobs().map((jobId) => (
      <EndNotice key={jobId} jobId={jobId} />
    ))}
  </Suspense>
);
