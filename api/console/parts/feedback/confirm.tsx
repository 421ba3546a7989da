import { Button, type ButtonProps } from '@mantine/core';
import { useState } from 'react';
import { OnDemand } from './boundary.tsx';
import type { ConfirmDialogProps } from './confirm-dialog.tsx';
import { lazyPart } from './lazy-part.tsx';

const ConfirmDialog = lazyPart(() => import('./confirm-dialog.tsx'));

interface ConfirmProps extends Omit<ButtonProps, 'children'>, Omit<ConfirmDialogProps, 'onClose' | 'color'> {
  /** The accessible name, to tell several equal buttons apart. */
  'aria-label'?: string;
}

/** A button for an action that cannot be undone. It opens a dialog that asks for confirmation and shows a failure. */
export function Confirm({ label, title, children, mustType, onConfirm, ...button }: ConfirmProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" size="xs" {...button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <OnDemand>
        {isOpen && (
          <ConfirmDialog
            label={label}
            title={title}
            color={button.color}
            mustType={mustType}
            onConfirm={onConfirm}
            onClose={() => setOpen(false)}
          >
            {children}
          </ConfirmDialog>
        )}
      </OnDemand>
    </>
  );
}
