import type { Job } from '../http/types.ts';
import { ProgressBar } from '../parts/feedback/progress-bar.tsx';
import { currentPhase } from './job-phase.ts';

/** The progress bar of an unfinished job. */
export function JobProgress({ job }: { job: Job }) {
  const { name, share, amount } = currentPhase(job);
  return <ProgressBar label={name} share={share} amount={amount} />;
}
