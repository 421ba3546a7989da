import { Group, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from '../../parts/feedback/confirm.tsx';
import type { TabProps } from '../webhook/tab-props.ts';
import { useChangeWebhook } from './use-change-webhook.ts';

const GRACES = [
  { value: '0', label: 'at once' },
  { value: '3600', label: 'after 1 hour' },
  { value: '86400', label: 'after 1 day' },
  { value: '604800', label: 'after 7 days' },
];

/** Gives the integration a new URL; the present one ends when its grace is over. */
export function RotateUrl({ webhook }: TabProps) {
  const [grace, setGrace] = useState('86400');
  const { mutateAsync } = useChangeWebhook(webhook.id);
  const label = GRACES.find(({ value }) => value === grace)?.label;
  const rotate = () =>
    mutateAsync({
      method: 'POST',
      path: '/rotate',
      json: { graceSeconds: Number(grace) },
      done: 'The integration has a new URL',
    });
  return (
    <Group align="flex-end" gap="sm">
      <NativeSelect
        label="The present URL ends"
        data={GRACES}
        value={grace}
        onChange={({ currentTarget }) => setGrace(currentTarget.value)}
      />
      <Confirm label="New URL" title="A new URL?" size="sm" color="violet" onConfirm={rotate}>
        {grace === '0'
          ? 'The present URL ends at once: whatever a source still sends there is answered 404.'
          : `The present URL ends ${label}. Give the new one to the source until then.`}
      </Confirm>
    </Group>
  );
}
