import { Button } from '@mantine/core';
import { IconChevronDown, IconX } from '@tabler/icons-react';
import type { ComponentProps, Ref } from 'react';
import styles from './filter-bar.module.css';

interface PillProps extends Omit<ComponentProps<'button'>, 'value' | 'color' | 'style'> {
  label: string;
  /** What the filter is set to; empty if it is not set. */
  value: string;
  clear: () => void;
  ref?: Ref<HTMLButtonElement>;
}

/** The button of a filter, which opens its choice, and next to it a button that removes the filter. */
export const FilterPill = ({ label, value, clear, ref, ...button }: PillProps) => (
  <div className={styles.pill} data-set={value !== '' || undefined}>
    <Button
      {...button}
      ref={ref}
      className={styles.pillButton}
      variant="default"
      rightSection={<IconChevronDown size={14} />}
    >
      <span className={styles.pillText}>
        {label}
        {value !== '' && (
          <>
            : <bdi>{value}</bdi>
          </>
        )}
      </span>
    </Button>
    {value !== '' && (
      <Button
        className={styles.pillRemove}
        variant="default"
        aria-label={`Remove filter ${label}`}
        onClick={clear}
      >
        <IconX size={14} />
      </Button>
    )}
  </div>
);
