import { Button, Text } from '@mantine/core';
import type { Job, UploadPreview } from '../../http/types.ts';
import { ChangesDiff } from '../../jobs/changes/changes-diff.tsx';
import { JobOutcome } from '../../jobs/outcome/job-outcome.tsx';
import { isHeaderUnknown } from './columns/column-choice.ts';
import { JobLink } from './job-link.tsx';
import { othersLabel } from './options/upload-options.tsx';
import { StepProgress, type StepProps } from './step-progress.tsx';
import styles from './upload.module.css';
import type { Mode } from './upload-state.ts';

interface DryRunStepProps extends StepProps {
  /** Undefined until it is loaded, and without a file. */
  preview: UploadPreview | undefined;
}

/** The dry run: what the file would change, or its errors. */
export function DryRunStep({ upload, preview, job, isBusy }: DryRunStepProps) {
  const finished = job.data?.finishedAt ? job.data : null;
  return (
    <>
      <StepProgress step="dryRun" upload={upload} job={job} />
      {finished && <JobOutcome job={finished} />}
      {finished?.state === 'failed' && <NextStep job={finished} mode={upload.options.mode} />}
      {finished && (
        <div className={styles.changes}>
          <ChangesDiff job={finished} />
        </div>
      )}
      {finished && <JobLink id={finished.id}>View dry run</JobLink>}
      {!isBusy && <DryRunButton upload={upload} preview={preview} isRepeated={finished !== null} />}
    </>
  );
}

interface DryRunButtonProps extends Pick<DryRunStepProps, 'upload' | 'preview'> {
  isRepeated: boolean;
}

function DryRunButton({ upload, preview, isRepeated }: DryRunButtonProps) {
  if (!upload.file) {
    return (
      <Text size="sm" c="dimmed">
        {isRepeated ? 'To repeat the dry run, choose the file again.' : 'Choose a file first.'}
      </Text>
    );
  }
  if (preview && isHeaderUnknown(preview)) {
    return (
      <Text size="sm" c="dimmed">
        Choose the columns of the file first.
      </Text>
    );
  }
  return (
    <div>
      <Button variant={isRepeated ? 'default' : 'filled'} onClick={() => upload.send('dryRun')}>
        {isRepeated ? 'Repeat dry run' : 'Start dry run'}
      </Button>
    </div>
  );
}

const NextStep = ({ job, mode }: { job: Job; mode: Mode }) => (
  <Text size="sm">
    {job.error?.code === 'invalid_rows'
      ? `Fix these rows and choose the file again. Or select “${othersLabel(mode)}” above and repeat the dry run.`
      : 'Fix the file and choose it again.'}
  </Text>
);
