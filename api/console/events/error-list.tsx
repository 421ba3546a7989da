import type { Event } from '../http/types.ts';
import styles from './error-list.module.css';

interface ErrorListProps {
  errors: Event['faults'];
  /** `bad` where nothing was made, `warn` where something is missing. */
  tone: 'bad' | 'warn';
  /** The list's accessible name. */
  label?: string;
}

/** What went wrong, in words; nothing when nothing did. The words name the field already. */
export const ErrorList = ({ errors, tone, label = 'Faults' }: ErrorListProps) =>
  errors.length === 0 ? null : (
    <ul className={styles.errors} data-tone={tone} aria-label={label}>
      {errors.map(({ field, code, message }) => (
        <li key={`${field} ${code} ${message}`}>
          <bdi>{message}</bdi>
        </li>
      ))}
    </ul>
  );
