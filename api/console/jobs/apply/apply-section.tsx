import { Button, Radio, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Job } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { counted } from '../../text/quantities.ts';
import { useMayChange } from '../use-job-action.ts';
import { planOf } from './plan.ts';
import { useApplyPlan } from './use-apply-plan.ts';

const MAX_REASON = 500;

/** Writes what a dry run has planned. Renders nothing for other jobs. */
export function ApplySection({ job }: { job: Job }) {
  const mayApply = useMayChange(job.type);
  const plan = planOf(job, Date.now());
  if (plan === 'none') return null;
  return (
    <Section
      wide
      title="Apply"
      about="Writes exactly these changes, without the file. Accounts that have changed since the dry run keep their present owner."
    >
      {mayApply ? <Steps job={job} plan={plan} /> : <Text size="sm">{NO_SCOPE}</Text>}
    </Section>
  );
}

const NO_SCOPE =
  'This key cannot apply plans. Sign in with a key that has the developer_records:write scope, or ask an administrator for one.';

function Steps({ job, plan }: { job: Job; plan: Exclude<ReturnType<typeof planOf>, 'none'> }) {
  const [onConflict, setOnConflict] = useState('skip');
  const [reason, setReason] = useState('');
  const [, navigate] = useLocation();
  const applying = useApplyPlan(job.id, (jobId) => navigate(`/jobs/${jobId}`));
  if (plan === 'expired') return <Text size="sm">No longer possible: a plan is kept for 7 days.</Text>;
  if (plan === 'empty') return <Text size="sm">The dry run found nothing to change.</Text>;
  return (
    <Stack gap="md">
      <Radio.Group
        label="If accounts have changed since the dry run"
        value={onConflict}
        onChange={setOnConflict}
      >
        <Stack mt={6} gap="xs">
          <Radio
            value="skip"
            label="Skip these accounts"
            description="They are listed on the page of the job."
          />
          <Radio value="abort" label="Write nothing" description="For plans of at most 100,000 changes." />
        </Stack>
      </Radio.Group>
      <Textarea
        label="Reason (optional)"
        description="Shown in the history of each account. Required if the plan needs an approval"
        maxLength={MAX_REASON}
        autosize
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      {applying.isError && <Failure error={applying.error} title="Could not apply the plan" />}
      <div>
        <Button
          loading={applying.isPending}
          onClick={() => applying.mutate({ onConflict, reason: reason.trim() })}
        >
          {plan === 'unknown' ? 'Apply the plan' : `Apply ${counted(plan, 'change')}`}
        </Button>
      </div>
    </Stack>
  );
}
