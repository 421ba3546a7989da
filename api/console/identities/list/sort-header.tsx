import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { orderAfterClick, type SortKey } from '../list-state.ts';
import { useListState } from '../use-list-state.ts';
import styles from './list.module.css';

const ICON = 14;

/** A column header that sorts the list. */
export function SortHeader({ sortKey, children }: { sortKey: SortKey; children: string }) {
  const { state, change } = useListState();
  const Arrow = state.sortOrder === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <button
      type="button"
      className={styles.sort}
      onClick={() => change({ sortKey, sortOrder: orderAfterClick(state, sortKey) })}
    >
      {children}
      {state.sortKey === sortKey ? (
        <Arrow size={ICON} aria-hidden="true" />
      ) : (
        <svg width={ICON} height={ICON} aria-hidden="true" />
      )}
    </button>
  );
}
