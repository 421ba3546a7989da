import { Alert, Group, Text } from '@mantine/core';
import type { Job } from '../../http/types.ts';
import { DownloadButton } from '../../parts/download-button.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { fullTime } from '../../text/times.ts';
import { fileState } from './file-state.ts';

/** The file of an export: to be saved, or why not any more. */
export function JobFile({ job }: { job: Job }) {
  const state = fileState(job, Date.now());
  if (state === 'none') return null;
  if (state === 'expired') {
    return (
      <Alert color="gray" title="The file is no longer there">
        Its time was over {job.expiresAt && <Ago at={job.expiresAt} />}. Have a new one made.
      </Alert>
    );
  }
  return (
    <Group gap="sm">
      <DownloadButton path={job.links.file as string} variant="filled">
        Download the file
      </DownloadButton>
      {job.expiresAt && (
        <Text size="sm" c="dimmed">
          It is kept until {fullTime(job.expiresAt)}.
        </Text>
      )}
    </Group>
  );
}
