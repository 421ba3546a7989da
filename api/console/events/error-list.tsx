import type { Event } from '../http/types.ts';
import { Message } from '../parts/values/message.tsx';
import styles from './error-list.module.css';

interface ErrorListProps {
  errors: Event['faults'];
  /** `bad` if no alert was created, `warn` if something is missing. */
  tone: 'bad' | 'warn';
  /** The list's accessible name. */
  label?: string;
}

/** A list of error messages, which name the field themselves. Renders nothing for an empty list. */
export const ErrorList = ({ errors, tone, label = 'Errors' }: ErrorListProps) =>
  errors.length === 0 ? null : (
    <ul className={styles.errors} data-tone={tone} aria-label={label}>
      {errors.map(({ field, code, message }) => (
        <li key={`${field} ${code} ${message}`}>
          <bdi>
            <Message text={message} />
          </bdi>
        </li>
      ))}
    </ul>
  );
