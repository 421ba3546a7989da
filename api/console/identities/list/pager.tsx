import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useRef } from 'react';
import { wholeNumber } from '../../text/quantities.ts';
import { fixedRange, PAGE_SIZES } from '../list-state.ts';
import { nextPlace, type PagePlace, pageCount, previousPlace } from '../paging.ts';
import { useListState } from '../use-list-state.ts';
import styles from './list.module.css';

interface PagerProps {
  nextCursor: string | null;
  /** Undefined until it is known. */
  total: number | undefined;
  /** The rows and the cursor still belong to the previous page. */
  isWaiting: boolean;
}

/** The page size, and buttons that go to the previous and the next page. */
export function Pager({ nextCursor, total, isWaiting }: PagerProps) {
  const { state, change } = useListState();
  const { page, pageSize, cursor } = state;
  const seen = useRef(new Map<number, string>());
  if (cursor !== null) seen.current.set(page, cursor);
  // A cursor is valid only with the filters of its page, so beyond the numbered pages the range no longer moves with the time.
  const range = fixedRange(state);
  const go = (place: PagePlace | null) => place && change(place.cursor ? { ...place, ...range } : place);
  const following = nextPlace(page, pageSize, nextCursor);
  const next = isWaiting && following?.cursor ? null : following;
  const previous = previousPlace(page, pageSize, seen.current);
  return (
    <nav className={styles.pager} aria-label="Pagination">
      <Group gap="xs">
        <Text size="sm" component="label" htmlFor="page-size">
          Rows per page
        </Text>
        <NativeSelect
          id="page-size"
          w="5.5rem"
          size="xs"
          data={PAGE_SIZES.map(String)}
          value={String(pageSize)}
          onChange={({ currentTarget }) => change({ pageSize: Number(currentTarget.value) })}
        />
      </Group>
      <Group gap="xs">
        <Button variant="default" size="xs" disabled={!previous} onClick={() => go(previous)}>
          Previous
        </Button>
        <Text size="sm" aria-live="polite">
          Page {wholeNumber(page)}
          {total === undefined ? '' : ` of ${wholeNumber(pageCount(total, pageSize))}`}
        </Text>
        <Button variant="default" size="xs" disabled={!next} onClick={() => go(next)}>
          Next
        </Button>
      </Group>
    </nav>
  );
}
