import { Button, Stack } from '@mantine/core';
import { CancelJob } from '../../jobs/cancel-job.tsx';
import { JobProgress } from '../../jobs/job-progress.tsx';
import type { useJob } from '../../jobs/use-job.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProgressBar } from '../../parts/feedback/progress-bar.tsx';
import { byteSize } from '../../text/quantities.ts';
import type { Step } from './upload-state.ts';
import type { Steps } from './use-steps.ts';
import type { Upload } from './use-upload.ts';

export interface StepProps {
  upload: Upload;
  job: ReturnType<typeof useJob>;
  isBusy: boolean;
}

interface ProgressProps {
  step: Step;
  upload: Omit<Steps, 'take' | 'forgetFailure'>;
  job: StepProps['job'];
}

/** The progress of an unfinished step: the upload of the file, then the progress of its job. */
export function StepProgress({ step, upload, job }: ProgressProps) {
  if (upload.sending?.step === step) return <SendingBar upload={upload} share={upload.sending.share} />;
  if (upload.sendFailure?.step === step) {
    return (
      <Failure
        error={upload.sendFailure.error}
        title="Could not upload the file"
        retry={() => upload.send(step)}
      />
    );
  }
  if (upload.jobs[step] === null || job.data?.finishedAt) return null;
  if (!job.data) {
    return job.isError ? <Failure error={job.error} title="Could not load the job" /> : <Loading rows={1} />;
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

function SendingBar({ upload, share }: { upload: ProgressProps['upload']; share: number }) {
  const size = upload.file?.size ?? 0;
  return (
    <Stack gap="xs">
      <ProgressBar
        label="Uploading the file"
        share={share}
        amount={`${byteSize(share * size)} of ${byteSize(size)}`}
      />
      <div>
        <Button variant="default" size="sm" onClick={upload.stopSending}>
          Cancel upload
        </Button>
      </div>
    </Stack>
  );
}
