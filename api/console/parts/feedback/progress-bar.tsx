import { Group, Text } from '@mantine/core';
import styles from '../parts.module.css';

interface ProgressBarProps {
  /** What is in progress. */
  label: string;
  /** From 0 to 1, or null if it is unknown. */
  share: number | null;
  /** The amount in words, such as "3 of 7 rows". */
  amount?: string;
}

/** A progress bar with its label and amount above. */
export const ProgressBar = ({ label, share, amount }: ProgressBarProps) => (
  <div className={styles.progress}>
    <Group justify="space-between" gap="sm" wrap="nowrap">
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Text size="sm" c="dimmed" ta="right">
        {[amount, share === null ? '' : `${Math.floor(share * 100)}%`].filter(Boolean).join(' · ')}
      </Text>
    </Group>
    {/* The key creates a new element for each phase, so that the bar never animates backwards. */}
    <progress key={label} aria-label={label} max={1} {...(share === null ? {} : { value: share })} />
  </div>
);
