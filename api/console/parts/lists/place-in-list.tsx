import { ActionIcon, Group } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link, useSearch } from 'wouter';
import type { QueryValue } from '../../http/request.ts';
import { BackLink } from '../back-link.tsx';
import { type Neighbors, neighborsOf } from './neighbors.ts';
import { usePages } from './use-pages.ts';

interface PlaceProps {
  id: string;
  /** The address of the list. An entry has its address below that of the list. */
  list: string;
  /** The name of the list, and of one entry in lowercase. */
  name: string;
  one: string;
  /** The API's path and query of the list. */
  path: string;
  query: Record<string, QueryValue>;
}

/** Leads from an entry back to its list, and to the entries before and after it. The addresses keep the filters of the list. */
export function PlaceInList({ id, list, name, one, path, query }: PlaceProps) {
  const search = useSearch();
  const { previous, next } = useNeighbors(path, query, id);
  const filters = search && `?${search}`;
  return (
    <Group gap="sm">
      <BackLink href={`${list}${filters}`}>{name}</BackLink>
      <Group gap={2}>
        {previous && (
          <Step rel="prev" href={`${list}/${previous}${filters}`} label={`Previous ${one}`} keyName="k" />
        )}
        {next && <Step rel="next" href={`${list}/${next}${filters}`} label={`Next ${one}`} keyName="j" />}
      </Group>
    </Group>
  );
}

interface StepProps {
  rel: 'prev' | 'next';
  href: string;
  label: string;
  keyName: string;
}

const Step = ({ rel, href, label, keyName }: StepProps) => (
  <ActionIcon
    component={Link}
    href={href}
    rel={rel}
    variant="subtle"
    color="gray"
    size="sm"
    aria-label={label}
    title={`${label} (${keyName})`}
  >
    {rel === 'prev' ? <IconChevronUp size={16} /> : <IconChevronDown size={16} />}
  </ActionIcon>
);

/**
 * Returns the entries before and after an entry in a list that was loaded before, or else in its first page. Loads the next page when
 * the entry is the last one.
 */
function useNeighbors(path: string, query: Record<string, QueryValue>, id: string): Neighbors {
  const { rows, hasNextPage, isFetchingNextPage, isError, fetchNextPage } = usePages<{ id: string }>(
    path,
    query,
    { isLive: true },
  );
  const isLast = rows.at(-1)?.id === id;
  const isNeeded = isLast && hasNextPage && !isFetchingNextPage && !isError;
  useEffect(() => {
    if (isNeeded) void fetchNextPage();
  }, [isNeeded, fetchNextPage]);
  return neighborsOf(rows, id);
}
