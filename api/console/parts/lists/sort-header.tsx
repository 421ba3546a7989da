import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import styles from './sort-header.module.css';

const ICON = 14;

interface SortHeaderProps {
  /** The order of the list if it is sorted by this column; null if it is not. */
  order: 'asc' | 'desc' | null;
  onClick(): void;
  children: string;
}

/** A column header that sorts the list. */
export function SortHeader({ order, onClick, children }: SortHeaderProps) {
  const Arrow = order === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <button type="button" className={styles.sort} onClick={onClick}>
      {children}
      {order ? (
        <Arrow size={ICON} aria-hidden="true" />
      ) : (
        <svg width={ICON} height={ICON} aria-hidden="true" />
      )}
    </button>
  );
}
