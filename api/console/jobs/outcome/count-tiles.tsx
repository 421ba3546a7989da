import type { Job } from '../../http/types.ts';
import { wholeNumber } from '../../text/quantities.ts';
import { listCounts } from '../job-counts.ts';
import styles from './outcome.module.css';

const TONES: Record<string, string> = { rejected: 'bad', failed: 'bad', superseded: 'warn' };

/** The counts of a job as tiles, each with an explanation. */
export const CountTiles = ({ job }: { job: Job }) => (
  <dl className={styles.counts} aria-label={job.dryRun ? 'Dry run results' : 'Results'}>
    {listCounts(job).map(({ name, count, meaning }) => (
      <div key={name} data-tone={count > 0 ? TONES[name] : undefined}>
        <dt>{name}</dt>
        <dd className={styles.number}>{wholeNumber(count)}</dd>
        <dd className={styles.meaning}>{meaning}</dd>
      </div>
    ))}
  </dl>
);
