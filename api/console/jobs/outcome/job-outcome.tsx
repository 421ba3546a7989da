import { Alert, Group, Stack, Text } from '@mantine/core';
import type { Job } from '../../http/types.ts';
import { DownloadButton } from '../../parts/download-button.tsx';
import { Message } from '../../parts/values/message.tsx';
import { CountTiles } from './count-tiles.tsx';
import { DetectedColumns } from './detected-columns.tsx';
import { ErrorTable } from './error-table.tsx';
import { RejectedRows } from './rejected-rows.tsx';
import { summarizeOutcome } from './summarize-outcome.ts';
import { Warnings } from './warnings.tsx';

const COLORS = { good: 'green', warn: 'yellow', bad: 'red', plain: 'gray' };

/** The outcome of a finished job: summary, counts, warnings, errors, and the rejected rows. */
export function JobOutcome({ job }: { job: Job }) {
  const { tone, title, text } = summarizeOutcome(job);
  return (
    <Stack gap="md">
      <Alert color={COLORS[tone]} title={title} role={tone === 'bad' ? 'alert' : 'status'}>
        <Text size="sm">
          <Message text={text} />
        </Text>
      </Alert>
      {job.counts && <CountTiles job={job} />}
      <DetectedColumns columns={job.columns} />
      <Warnings warnings={job.warnings} />
      {job.error ? (
        <ErrorTable errors={job.error.errors} count={job.error.errorCount} />
      ) : (
        <RejectedRows job={job} />
      )}
      {job.links.rejected && (
        <Group>
          <DownloadButton path={job.links.rejected}>Download rejected rows</DownloadButton>
        </Group>
      )}
    </Stack>
  );
}
