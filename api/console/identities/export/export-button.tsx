import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { OnDemand } from '../../parts/feedback/boundary.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';

const ExportDialog = lazyPart(() => import('./export-dialog.tsx'));

/** A button that exports the listed identities to a file. */
export function ExportButton({ total }: { total: number | undefined }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => setOpen(true)}>
        Export
      </Button>
      <OnDemand>{isOpen && <ExportDialog total={total} onClose={() => setOpen(false)} />}</OnDemand>
    </>
  );
}
