import { Radio, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Destination } from '../../http/types.ts';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { FormActions } from '../../parts/feedback/form-actions.tsx';
import { counted } from '../../text/quantities.ts';
import { useChangeDestination } from '../use-destination.ts';

interface ResumeDialogProps {
  destination: Destination;
  onClose: () => void;
}

const CHOICES = [
  { value: 'all', label: 'All of them', description: 'In order, as the mode of the destination says.' },
  {
    value: 'latest',
    label: 'The last one of each alert',
    description: 'Alerts that were over meanwhile are left out.',
  },
  {
    value: 'firing',
    label: 'Only alerts that still fire',
    description: 'And the end of those that it was told of. Not alerts without a key, which have no end.',
  },
  {
    value: 'none',
    label: 'None',
    description: 'Not even the end of alerts that it was told of. They can be sent again later.',
  },
];

/** Asks which of the messages that wait are sent, and resumes the destination. */
export default function ResumeDialog({ destination: { id, name, waiting }, onClose }: ResumeDialogProps) {
  const [deliver, setDeliver] = useState('all');
  const { mutate, isPending, error } = useChangeDestination(id);
  const close = () => !isPending && onClose();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate(
      { method: 'POST', path: '/resume', json: { deliver }, done: `Resumed ${name}` },
      { onSuccess: onClose },
    );
  };
  return (
    <Dialog title={`Resume ${name}`} onClose={close} centered>
      <Stack component="form" onSubmit={submit}>
        <Radio.Group
          label={`${counted(waiting, 'message')} ${waiting === 1 ? 'waits' : 'wait'}. Which are sent?`}
          value={deliver}
          onChange={setDeliver}
        >
          <Stack gap="xs" mt="xs">
            {CHOICES.map((choice) => (
              <Radio key={choice.value} {...choice} />
            ))}
          </Stack>
        </Radio.Group>
        {error && <Failure error={error} title="Could not resume" />}
        <FormActions submit="Resume" cancel={close} isBusy={isPending} />
      </Stack>
    </Dialog>
  );
}
