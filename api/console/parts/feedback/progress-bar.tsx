import { Group, Text } from '@mantine/core';
import styles from '../parts.module.css';

interface ProgressBarProps {
  /** What goes on. */
  label: string;
  /** From 0 to 1; null when it cannot be told. */
  share: number | null;
  /** How much that is. */
  amount?: string;
}

/** How far something is, with its words above. */
export const ProgressBar = ({ label, share, amount }: ProgressBarProps) => (
  <div className={styles.progress}>
    <Group justify="space-between" gap="sm" wrap="nowrap">
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Text size="sm" c="dimmed" ta="right">
        {[amount, share === null ? '' : `${Math.floor(share * 100)} %`].filter(Boolean).join(' · ')}
      </Text>
    </Group>
    {/* Another one for another phase: a bar must not be seen to run backwards. */}
    <progress key={label} aria-label={label} max={1} {...(share === null ? {} : { value: share })} />
  </div>
);
