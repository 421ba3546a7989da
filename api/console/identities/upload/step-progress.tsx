import { Button, Stack } from '@mantine/core';
import { CancelJob } from '../../jobs/cancel-job.tsx';
import { JobProgress } from '../../jobs/job-progress.tsx';
import type { useJob } from '../../jobs/use-job.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProgressBar } from '../../parts/feedback/progress-bar.tsx';
import { byteSize } from '../../text/quantities.ts';
import type { Step } from './upload-state.ts';
import type { UploadDesk } from './use-upload.ts';

export interface StepProps {
  desk: UploadDesk;
  job: ReturnType<typeof useJob>;
  isBusy: boolean;
}

/** Whatever there is to see of a step before its end: bytes that are sent, then rows that are done. */
export function StepProgress({ step, desk, job }: Omit<StepProps, 'isBusy'> & { step: Step }) {
  if (desk.sending?.step === step) return <SendingBar desk={desk} share={desk.sending.share} />;
  if (desk.unsent?.step === step) {
    return <Failure error={desk.unsent.error} title="The file was not taken" retry={() => desk.send(step)} />;
  }
  if (desk.jobs[step] === null || job.data?.finishedAt) return null;
  if (!job.data) {
    return job.isError ? (
      <Failure error={job.error} title="The job could not be read" />
    ) : (
      <Loading rows={1} />
    );
  }
  return (
    <Stack gap="xs">
      <JobProgress job={job.data} />
      <div>
        <CancelJob job={job.data} />
      </div>
    </Stack>
  );
}

function SendingBar({ desk, share }: { desk: UploadDesk; share: number }) {
  const size = desk.file?.size ?? 0;
  return (
    <Stack gap="xs">
      <ProgressBar
        label="Sending the file"
        share={share}
        amount={`${byteSize(share * size)} of ${byteSize(size)}`}
      />
      <div>
        <Button variant="default" size="sm" onClick={desk.stopSending}>
          Stop sending
        </Button>
      </div>
    </Stack>
  );
}
