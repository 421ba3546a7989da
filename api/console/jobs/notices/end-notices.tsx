import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { useStartedJobs } from './started-jobs.ts';

/** Loaded with the first job. Without it, for example after an update of Muster, there are no notices, and the page still works. */
const EndNotice = lazyPart(() => import('./end-notice.tsx').catch(() => ({ default: () => null })));

/** Watches the jobs that this tab has started. */
export const EndNotices = () => useStartedJobs().map((jobId) => <EndNotice key={jobId} jobId={jobId} />);
