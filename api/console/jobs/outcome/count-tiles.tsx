import type { Job } from '../../http/types.ts';
import { wholeNumber } from '../../text/quantities.ts';
import { listCounts } from '../job-counts.ts';
import styles from './outcome.module.css';

const TONES: Record<string, string> = { rejected: 'bad', failed: 'bad', superseded: 'warn' };

/** The counts of a job, each with what it counts. */
export const CountTiles = ({ job }: { job: Job }) => (
  <dl className={styles.counts} aria-label={job.dryRun ? 'What would be done' : 'What was done'}>
    {listCounts(job).map(({ name, count, meaning }) => (
      <div key={name} data-tone={count > 0 ? TONES[name] : undefined}>
        <dt>{name}</dt>
        <dd className={styles.number}>{wholeNumber(count)}</dd>
        <dd className={styles.meaning}>{meaning}</dd>
      </div>
    ))}
  </dl>
);
