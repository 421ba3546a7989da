import { CloseButton, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CancelJob } from '../../jobs/cancel-job.tsx';
import { JobProgress } from '../../jobs/job-progress.tsx';
import { JobFile } from '../../jobs/outcome/job-file.tsx';
import { summarizeOutcome } from '../../jobs/outcome/summarize-outcome.ts';
import { useJob } from '../../jobs/use-job.ts';
import { useAnnounceEnd } from '../../parts/feedback/announce.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { Message } from '../../parts/values/message.tsx';
import { useExports } from './use-exports.ts';

/** The exports started on this page: their progress, then their files. The list stays usable. */
export function ExportPanels() {
  const { ids, forget } = useExports();
  const [atOpening] = useState(ids);
  if (ids.length === 0) return null;
  return (
    <Stack gap="sm" mb="md">
      {ids.map((id) => (
        <ExportPanel key={id} id={id} isNew={!atOpening.includes(id)} onClose={() => forget(id)} />
      ))}
    </Stack>
  );
}

function ExportPanel({ id, isNew, onClose }: { id: string; isNew: boolean; onClose: () => void }) {
  const { data: job, error } = useJob(id);
  const ended = job?.finishedAt ? summarizeOutcome(job) : null;
  const announcement = ended && `Export: ${ended.title}. ${ended.text}`;
  useAnnounceEnd(id, job && announcement, isNew);
  return (
    <Paper withBorder p="sm" component="section" aria-label="Export">
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <Stack gap="xs" flex={1}>
          {job && !job.finishedAt && <JobProgress job={job} />}
          {job && !job.finishedAt && (
            <div>
              <CancelJob job={job} />
            </div>
          )}
          {announcement && (
            <Text size="sm">
              <Message text={announcement} />
            </Text>
          )}
          {job && <JobFile job={job} />}
          {!job &&
            (error ? <Failure error={error} title="Could not load the export" /> : <Loading rows={1} />)}
        </Stack>
        <CloseButton aria-label="Hide export" onClick={onClose} />
      </Group>
    </Paper>
  );
}
