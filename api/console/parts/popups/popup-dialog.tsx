import { Popover, type PopoverProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { PopupButton, useIsOpen } from './popup-button.tsx';
import type { Popup } from './use-popup.ts';

interface PopupDialogProps extends Pick<PopoverProps, 'position' | 'width'> {
  popup: Popup;
  /** The accessible name. */
  label: string;
  children: ReactNode;
}

/** A small dialog next to its button. The focus moves into it, and back to the button when it closes. */
export function PopupDialog({ popup, label, children, ...popover }: PopupDialogProps) {
  return (
    <Popover
      {...popover}
      id={popup.id}
      opened={useIsOpen(popup)}
      onChange={popup.setOpen}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <PopupButton popup={popup} />
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>{children}</Popover.Dropdown>
    </Popover>
  );
}
