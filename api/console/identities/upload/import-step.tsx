import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Job, UploadPreview } from '../../http/types.ts';
import { planOf } from '../../jobs/apply/plan.ts';
import { useApplyPlan } from '../../jobs/apply/use-apply-plan.ts';
import { JobOutcome } from '../../jobs/outcome/job-outcome.tsx';
import { Confirm } from '../../parts/feedback/confirm.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { importLabel, planLabel } from './import-label.ts';
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
  const plan = dryRun ? planOf(dryRun, Date.now()) : 'none';
  if (dryRun && (typeof plan === 'number' || plan === 'unknown'))
    return <PlanButton upload={upload} dryRun={dryRun} plan={plan} />;
  const isChecked = dryRun?.state.startsWith('completed') ?? false;
  const isEmpty = plan === 'empty';
  // An import confirms owners that stay; a removal of nothing does nothing.
  if (dryRun && isChecked && upload.file && !(isEmpty && upload.options.mode === 'remove'))
    return <SendAgain upload={upload} dryRun={dryRun} isEmpty={isEmpty} />;
  const isIncomplete = Object.keys(missingOptions(upload.options)).length > 0;
  if (upload.file && !dryRun && preview && !preview.error && !isIncomplete)
    return <UncheckedImport upload={upload} />;
  return (
    <Text size="sm" c="dimmed">
      {isChecked ? NO_PLAN[isEmpty ? 'empty' : 'expired'] : 'Available after a successful dry run.'}
    </Text>
  );
}

const NO_PLAN = {
  empty: 'The dry run found nothing to change.',
  expired: 'The plan of the dry run is kept no longer. Choose the file again.',
};

interface PlanButtonProps extends Pick<ImportStepProps, 'upload'> {
  dryRun: Job;
  plan: number | 'unknown';
}

/** Writes what the dry run has shown, and leaves out the accounts that have changed since. */
function PlanButton({ upload, dryRun, plan }: PlanButtonProps) {
  const { callback } = upload.options;
  const applying = useApplyPlan(dryRun.id, (jobId) => upload.follow('import', jobId));
  return (
    <Stack gap="sm">
      {applying.isError && <Failure error={applying.error} title="Could not apply the plan" />}
      <Text size="sm">
        Writes exactly the changes of the dry run. Accounts that have changed since keep their present owner.
      </Text>
      <div>
        <Button
          loading={applying.isPending}
          onClick={() => applying.mutate({ onConflict: 'skip', callback: callback || undefined })}
        >
          {planLabel(dryRun, plan)}
        </Button>
      </div>
    </Stack>
  );
}

interface SendAgainProps extends Pick<ImportStepProps, 'upload'> {
  dryRun: Job;
  isEmpty: boolean;
}

const SendAgain = ({ upload, dryRun, isEmpty }: SendAgainProps) => (
  <Group gap="sm">
    <Button variant={isEmpty ? 'default' : 'filled'} onClick={() => upload.send('import')}>
      {importLabel(dryRun, upload.options.mode)}
    </Button>
    {isEmpty && (
      <Text size="sm" c="dimmed">
        The dry run found nothing to change. An import confirms the owners that the accounts have.
      </Text>
    )}
  </Group>
);

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
