import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useMay } from '../../http/use-current-key.ts';
import { OnDemand } from '../../parts/feedback/boundary.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import type { Resolved } from './use-resolve.ts';

const ResolveDialog = lazyPart(() => import('./resolve-dialog.tsx'));

/** Finds the button for the shortcut of its page. */
export const RESOLVE_BUTTON = 'data-resolve';

/** A button that asks for the reason and resolves alerts. Renders nothing if the signed-in key may not. */
export function ResolveButton({ what, label }: { what: Resolved; label: string }) {
  const [isOpen, setOpen] = useState(false);
  if (!useMay('alerts:write')) return null;
  return (
    <>
      <Button
        {...{ [RESOLVE_BUTTON]: true }}
        variant="default"
        leftSection={<IconCheck size={16} />}
        aria-keyshortcuts="r"
        title={`${label} (r)`}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      <OnDemand>{isOpen && <ResolveDialog what={what} onClose={() => setOpen(false)} />}</OnDemand>
    </>
  );
}
