import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './filter-bar.module.css';

interface FilterBarProps {
  /** How many filters are set. */
  count: number;
  clear: () => void;
  children: ReactNode;
}

/** The filters of a list, in one row if there is room. */
export const FilterBar = ({ count, clear, children }: FilterBarProps) => (
  <search className={styles.bar} aria-label="Filters">
    {children}
    <div className={styles.clear} data-idle={count === 0 || undefined}>
      <Button variant="subtle" size="sm" onClick={clear}>
        Clear filters
      </Button>
    </div>
  </search>
);
