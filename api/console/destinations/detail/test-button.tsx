import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import type { Destination } from '../../http/types.ts';
import { OnDemand } from '../../parts/feedback/boundary.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';

const TestDialog = lazyPart(() => import('./test-dialog.tsx'));

/** A button that opens a dialog to send a test message. */
export function TestButton({ destination }: { destination: Destination }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<IconSend size={16} />} onClick={() => setOpen(true)}>
        Test
      </Button>
      <OnDemand>{isOpen && <TestDialog destination={destination} onClose={() => setOpen(false)} />}</OnDemand>
    </>
  );
}
