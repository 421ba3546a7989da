import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FileChanged } from '../../http/file-pieces.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { JOB_KEY } from '../use-job.ts';
import { FIRST_PAGE, PAGE_ROWS, readPage } from './read-changes.ts';

interface ChangesQuery {
  path: string;
  /** A retried job may have changed more, so its attempts are part of the cache key. */
  attempts: number;
  outcome: string | null;
  /** How many changes there are at most. */
  most: number;
}

/** What the page says after the file has changed. */
export const CHANGED = 'The job has run again, so the list has changed. This is its first page.';

/**
 * Reads one page of changes at a time, and returns functions that go to the next and the previous page. If the file has changed,
 * it goes to the first page and reads the job again, for its counts.
 */
export function useChanges({ path, attempts, outcome, most }: ChangesQuery) {
  const [places, setPlaces] = useState([FIRST_PAGE]);
  const [searched, setSearched] = useState(0);
  /** How often the file was found to have changed. */
  const [changed, setChanged] = useState(0);
  const cache = useQueryClient();
  const startOver = () => {
    setPlaces([FIRST_PAGE]);
    setChanged((before) => before + 1);
    announce(CHANGED);
    void cache.invalidateQueries({ queryKey: [JOB_KEY] });
  };
  const from = places.at(-1) ?? FIRST_PAGE;
  const before = (places.length - 1) * PAGE_ROWS;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['changes', path, attempts, outcome, from, changed],
    queryFn: ({ signal }) => {
      setSearched(0);
      const reading = readPage({ path, from, outcome, most: most - before, signal, onProgress: setSearched });
      return reading.catch((error: unknown) => {
        if (error instanceof FileChanged) startOver();
        throw error;
      });
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    // Pages that were left are not kept, so that memory does not grow with the number of visited pages.
    gcTime: 0,
  });
  const next = data?.next ?? null;
  return {
    page: data,
    /** The number of the first row on the page, from 1. */
    first: before + 1,
    error: error instanceof FileChanged ? null : error,
    hasChanged: changed > 0,
    retry: refetch,
    isWaiting: isPlaceholderData,
    /** The share of the file that the running search has read, from 0 to 1. */
    searched,
    goNext: next && !isPlaceholderData ? () => setPlaces([...places, next]) : null,
    goBack: places.length > 1 ? () => setPlaces(places.slice(0, -1)) : null,
  };
}
