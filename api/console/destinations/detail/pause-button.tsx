import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { Destination } from '../../http/types.ts';
import { notify } from '../../parts/feedback/notify.tsx';
import { isHeld, useChangeDestination } from '../use-destination.ts';

/** Pauses a destination, or lets one go on that is paused or was stopped. */
export function PauseButton({ destination }: { destination: Destination }) {
  const { id, name } = destination;
  const { mutate, isPending } = useChangeDestination(id);
  const isOff = isHeld(destination);
  const change = () =>
    mutate(
      { method: 'PATCH', json: { paused: !isOff }, done: isOff ? `Resumed ${name}` : `Paused ${name}` },
      { onError: (error) => notify({ text: `Could not change ${name}: ${error.message}`, isWarning: true }) },
    );
  return (
    <Button
      variant={isOff ? 'filled' : 'default'}
      loading={isPending}
      leftSection={isOff ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
      onClick={change}
    >
      {isOff ? 'Resume' : 'Pause'}
    </Button>
  );
}
