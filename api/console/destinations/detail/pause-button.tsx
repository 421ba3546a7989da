import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import type { Destination } from '../../http/types.ts';
import { OnDemand } from '../../parts/feedback/boundary.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { notify } from '../../parts/feedback/notify.tsx';
import { isHeld, useChangeDestination } from '../use-destination.ts';

const ResumeDialog = lazyPart(() => import('./resume-dialog.tsx'));

/** Pauses a destination, or lets one go on that is paused or was stopped. Asks what is sent of what waits. */
export function PauseButton({ destination }: { destination: Destination }) {
  const { id, name, waiting } = destination;
  const { mutate, isPending } = useChangeDestination(id);
  const [isOpen, setOpen] = useState(false);
  const isOff = isHeld(destination);
  const change = () =>
    mutate(
      { method: 'PATCH', json: { paused: !isOff }, done: isOff ? `Resumed ${name}` : `Paused ${name}` },
      { onError: (error) => notify({ text: `Could not change ${name}: ${error.message}`, isWarning: true }) },
    );
  return (
    <>
      <Button
        variant={isOff ? 'filled' : 'default'}
        loading={isPending}
        leftSection={isOff ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
        onClick={() => (isOff && waiting > 0 ? setOpen(true) : change())}
      >
        {isOff ? 'Resume' : 'Pause'}
      </Button>
      <OnDemand>
        {isOpen && <ResumeDialog destination={destination} onClose={() => setOpen(false)} />}
      </OnDemand>
    </>
  );
}
