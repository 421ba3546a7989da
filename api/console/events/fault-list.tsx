import type { Event } from '../http/types.ts';
import styles from './events.module.css';

interface FaultListProps extends Pick<Event, 'faults'> {
  /** `bad` where nothing was made, `warn` where something is missing. */
  tone: 'bad' | 'warn';
  /** The list's accessible name. */
  label?: string;
}

/** What went wrong, in words; nothing when nothing did. The words name the field already. */
export const FaultList = ({ faults, tone, label = 'Faults' }: FaultListProps) =>
  faults.length === 0 ? null : (
    <ul className={styles.faults} data-tone={tone} aria-label={label}>
      {faults.map(({ field, code, message }) => (
        <li key={`${field} ${code} ${message}`}>
          <bdi>{message}</bdi>
        </li>
      ))}
    </ul>
  );
