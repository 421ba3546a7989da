import { Skeleton } from '@mantine/core';
import styles from './loading.module.css';

/** The parts of each shape: titles, rows of a table, and the boxes of a page. */
const SHAPES = {
  lines: [],
  table: [],
  list: ['title', 'lead'],
  details: ['title', 'lead', 'wide', 'narrow'],
  columns: ['side', 'middle', 'side'],
} as const;

interface LoadingProps {
  /** The shape of what is loading: lines of text, a table, a page with a table, a page with details, or three columns. */
  shape?: keyof typeof SHAPES;
  /** The number of lines or table rows. */
  rows?: number;
}

/** A placeholder in the shape of the content that is loading, so that the layout does not shift. */
export function Loading({
  shape = 'lines',
  rows = shape === 'list' || shape === 'table' ? 10 : 6,
}: LoadingProps) {
  const hasRows = shape !== 'details' && shape !== 'columns';
  return (
    <div className={styles.loading} data-shape={shape} aria-busy="true" aria-label="Loading" role="status">
      {SHAPES[shape].map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change
        <Skeleton key={place} className={styles[part]} />
      ))}
      {hasRows && (
        <div className={styles.rows}>
          {Array.from({ length: rows }, (_, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the skeletons are identical
            <div key={number} className={styles.row}>
              <Skeleton height={14} />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
