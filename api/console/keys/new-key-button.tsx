import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { lazyPart } from '../parts/feedback/lazy-part.tsx';
import { OnDemand } from '../parts/feedback/on-demand.tsx';

const NewKeyDialog = lazyPart(() => import('./new-key-dialog.tsx'));

/** A button that opens a dialog to create a key. */
export function NewKeyButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen(true)}>
        New key
      </Button>
      <OnDemand>{isOpen && <NewKeyDialog onClose={() => setOpen(false)} />}</OnDemand>
    </>
  );
}
