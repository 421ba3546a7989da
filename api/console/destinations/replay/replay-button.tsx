import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Destination } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { OnDemand } from '../../parts/feedback/boundary.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import type { ReplayedMessages } from './use-replay.ts';

const ReplayDialog = lazyPart(() => import('./replay-dialog.tsx'));

interface ReplayButtonProps {
  destination: Destination;
  what: ReplayedMessages;
  isDelivered?: boolean;
  text?: string;
  /** Names what is sent, if several buttons have the same text. It begins with the text. */
  label?: string;
  isSmall?: boolean;
}

/** A button that opens a dialog to send messages again. Renders nothing if the signed-in key may not. */
export function ReplayButton({ text = 'Send again', label, isSmall = false, ...props }: ReplayButtonProps) {
  const [isOpen, setOpen] = useState(false);
  if (!useMay('destinations:write')) return null;
  return (
    <>
      <Button
        variant="default"
        size={isSmall ? 'compact-sm' : 'sm'}
        aria-label={label}
        onClick={() => setOpen(true)}
      >
        {text}
      </Button>
      <OnDemand>{isOpen && <ReplayDialog {...props} onClose={() => setOpen(false)} />}</OnDemand>
    </>
  );
}
