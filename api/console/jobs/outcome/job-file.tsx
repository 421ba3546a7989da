import { Alert, Group, Text } from '@mantine/core';
import type { Job } from '../../http/types.ts';
import { DownloadButton } from '../../parts/download-button.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { useFullTime } from '../../settings/time-zone.ts';
import { fileState } from './file-state.ts';

/** The download button of a job's file, or a note that its file has expired. */
export function JobFile({ job }: { job: Job }) {
  const fullTime = useFullTime();
  const state = fileState(job, Date.now());
  if (state === 'none') return null;
  if (state === 'expired') {
    return (
      <Alert color="gray" title="File expired">
        The file expired {job.expiresAt && <Ago at={job.expiresAt} />}. Create a new one.
      </Alert>
    );
  }
  return (
    <Group gap="sm">
      <DownloadButton path={job.links.file as string} variant="filled">
        Download file
      </DownloadButton>
      {job.expiresAt && (
        <Text size="sm" c="dimmed">
          Available until{' '}
          <time dateTime={job.expiresAt} title={new Date(job.expiresAt).toISOString()}>
            {fullTime(job.expiresAt)}
          </time>
          .
        </Text>
      )}
    </Group>
  );
}
