import { Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Job, UploadPreview } from '../../http/types.ts';
import { JobOutcome } from '../../jobs/outcome/job-outcome.tsx';
import { Confirm } from '../../parts/feedback/confirm.tsx';
import { importLabel } from './import-label.ts';
import { JobLink } from './job-link.tsx';
import { StepProgress, type StepProps } from './step-progress.tsx';
import { missingOptions } from './upload-state.ts';

interface ImportStepProps extends StepProps {
  preview: UploadPreview | undefined;
  dryRun: Job | undefined;
}

/** The import. Without a successful dry run it asks for confirmation. */
export function ImportStep({ upload, preview, dryRun, job, isBusy }: ImportStepProps) {
  const id = upload.jobs.import;
  const finished = job.data?.finishedAt ? job.data : null;
  return (
    <>
      <StepProgress step="import" upload={upload} job={job} />
      {finished && <JobOutcome job={finished} />}
      {id && (
        <Group gap="md">
          <JobLink id={id}>View import job</JobLink>
          {finished && (
            <Anchor component={Link} href="/identities?sortKey=updatedAt&sortOrder=desc" size="sm">
              View identities
            </Anchor>
          )}
        </Group>
      )}
      {!isBusy && !finished && <ImportButton upload={upload} preview={preview} dryRun={dryRun} />}
    </>
  );
}

function ImportButton({ upload, preview, dryRun }: Pick<ImportStepProps, 'upload' | 'preview' | 'dryRun'>) {
  const isChecked = dryRun?.state.startsWith('completed') ?? false;
  if (!upload.file) {
    return (
      <Text size="sm" c={isChecked ? undefined : 'dimmed'}>
        {isChecked
          ? 'The page was reloaded and no longer has the file. Apply the plan on the page of the dry run.'
          : 'Available after a successful dry run.'}
      </Text>
    );
  }
  if (dryRun && isChecked) {
    return (
      <div>
        <Button onClick={() => upload.send('import')}>{importLabel(dryRun, upload.options.mode)}</Button>
      </div>
    );
  }
  const isIncomplete = Object.keys(missingOptions(upload.options)).length > 0;
  if (dryRun || !preview || preview.error || isIncomplete) {
    return (
      <Text size="sm" c="dimmed">
        Available after a successful dry run.
      </Text>
    );
  }
  return <UncheckedImport upload={upload} />;
}

const UncheckedImport = ({ upload }: Pick<StepProps, 'upload'>) => {
  const isRemoval = upload.options.mode === 'remove';
  const verb = isRemoval ? 'Remove' : 'Import';
  return (
    <Group gap="sm">
      <Confirm
        label={`${verb} without a dry run`}
        title={`${verb} without a dry run?`}
        size="sm"
        onConfirm={async () => void upload.send('import')}
      >
        A dry run shows every change before it is made. You can revert the {isRemoval ? 'removal' : 'import'}{' '}
        for 7 days.
      </Confirm>
      <Text size="sm" c="dimmed">
        Start a dry run first to see what would change.
      </Text>
    </Group>
  );
};
