import { Group, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from '../../parts/feedback/confirm.tsx';
import type { TabProps } from '../webhook/tab-props.ts';
import { useChangeWebhook } from './use-change-webhook.ts';

const GRACE_PERIODS = [
  { value: '0', label: 'immediately' },
  { value: '3600', label: 'after 1 hour' },
  { value: '86400', label: 'after 1 day' },
  { value: '604800', label: 'after 7 days' },
];

/** Replaces the integration's URL. The current URL keeps working until the grace period ends. */
export function RotateUrl({ webhook }: TabProps) {
  const [grace, setGrace] = useState('86400');
  const { mutateAsync } = useChangeWebhook(webhook.id);
  const label = GRACE_PERIODS.find(({ value }) => value === grace)?.label;
  const rotate = () =>
    mutateAsync({
      method: 'POST',
      path: '/rotate',
      json: { graceSeconds: Number(grace) },
      done: 'Replaced the URL',
    });
  return (
    <Group align="flex-end" gap="sm">
      <NativeSelect
        label="Current URL expires"
        data={GRACE_PERIODS}
        value={grace}
        onChange={({ currentTarget }) => setGrace(currentTarget.value)}
      />
      <Confirm label="Replace URL" title="Replace the URL?" size="sm" color="violet" onConfirm={rotate}>
        {grace === '0'
          ? 'The current URL expires immediately. Events that a source still sends to it get a 404 response.'
          : `The current URL expires ${label}. Enter the new URL in the source before then.`}
      </Confirm>
    </Group>
  );
}
