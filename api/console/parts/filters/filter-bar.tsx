import { Button } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import styles from './filter-bar.module.css';

interface FilterBarProps {
  /** How many filters are set. */
  count: number;
  clear: () => void;
  /** Stays visible on a phone, where the other filters are folded. */
  search?: ReactNode;
  /** What else can be done with the filters. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The filters of a list. On a phone they are behind a button. */
export function FilterBar({ count, clear, search, actions, children }: FilterBarProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <search className={styles.bar} aria-label="Filters" data-open={isOpen || undefined}>
      {search}
      <Button
        className={styles.fold}
        variant="default"
        leftSection={<IconFilter size={16} />}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {count > 0 ? `Filters (${count})` : 'Filters'}
      </Button>
      <div className={styles.fields}>
        {children}
        {count > 0 && (
          <Button variant="subtle" onClick={clear}>
            Clear filters
          </Button>
        )}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </search>
  );
}
