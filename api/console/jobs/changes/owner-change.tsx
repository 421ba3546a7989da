import { Text, VisuallyHidden } from '@mantine/core';
import styles from './changes.module.css';

interface OwnerChangeProps {
  /** The owner before and after; null if there is none. */
  before: string | null;
  after: string | null;
}

/** The owner before → after, or once if it stays. */
export const OwnerChange = ({ before, after }: OwnerChangeProps) =>
  before === after ? (
    <Owner email={after} />
  ) : (
    <span className={styles.change}>
      <span>
        <VisuallyHidden>before: </VisuallyHidden>
        <del className={styles.before}>
          <Owner email={before} />
        </del>
      </span>
      <span className={styles.become}>
        <span aria-hidden="true">→</span>
        <VisuallyHidden>, after: </VisuallyHidden>
        <ins className={styles.after}>
          <Owner email={after} />
        </ins>
      </span>
    </span>
  );

const Owner = ({ email }: { email: string | null }) =>
  email === null ? (
    <Text span inherit c="dimmed">
      no owner
    </Text>
  ) : (
    <bdi>{email}</bdi>
  );
