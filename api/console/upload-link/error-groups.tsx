import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Job } from '../http/types.ts';
import { readFirstRows } from '../jobs/outcome/read-first-rows.ts';
import { DownloadButton } from '../parts/download-button.tsx';
import { Failure } from '../parts/feedback/failure.tsx';
import { Message } from '../parts/values/message.tsx';
import { byteSize, counted, wholeNumber } from '../text/quantities.ts';
import { type ErrorGroup, groupErrors } from './group-errors.ts';
import styles from './upload-link.module.css';

/** As much of a rejected-rows file as is grouped. */
const GROUPED_BYTES = 2 * 1024 * 1024;

/** The rejected rows of a file by their cause, and the button that downloads them. */
export function ErrorGroups({ job }: { job: Job }) {
  const path = job.links.rejected;
  const { data, error, refetch } = useQuery({
    queryKey: ['error groups', job.id],
    queryFn: ({ signal }) => readFirstRows(path ?? '', groupErrors, signal, GROUPED_BYTES),
    enabled: path !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (path === undefined) return null;
  const grouped = data?.reduce((sum, { rows }) => sum + rows, 0) ?? 0;
  const rejected = job.counts?.rejected ?? grouped;
  return (
    <Stack gap="sm">
      {error && <Failure error={error} title="Could not load the rejected rows" retry={refetch} />}
      {data && (
        <ul className={styles.groups} aria-label="Rejected rows by cause">
          {data.map((group) => (
            <Group key={`${group.field} ${group.message}`} group={group} />
          ))}
        </ul>
      )}
      {data && grouped < rejected && (
        <Text size="sm" c="dimmed">
          These are the causes in the first {byteSize(GROUPED_BYTES)}.{' '}
          {counted(rejected - grouped, 'more row')} in the file.
        </Text>
      )}
      <div>
        <DownloadButton path={path}>Download rejected rows</DownloadButton>
      </div>
      <Text size="sm" c="dimmed">
        Correct the first three columns, leave the others as they are, and choose that file above.
      </Text>
    </Stack>
  );
}

const Group = ({ group: { field, message, rows, examples } }: { group: ErrorGroup }) => (
  <li>
    <Text fw={600} size="sm">
      {wholeNumber(rows)} × <Message text={field ? `\`${field}\` ${message}` : message} />
    </Text>
    <ul className={styles.examples}>
      {examples.map(({ line, value }) => (
        <li key={line}>
          Line {wholeNumber(line)}: <bdi>{value || 'empty'}</bdi>
        </li>
      ))}
      {rows > examples.length && <li>and {counted(rows - examples.length, 'more row')}</li>}
    </ul>
  </li>
);
