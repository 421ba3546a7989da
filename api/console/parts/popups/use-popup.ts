import { type KeyboardEvent, useId, useState } from 'react';

/** A menu, dialog or list of options next to the button that opens it. */
export interface Popup {
  /** The ID of the button. That of the content is `contentId(id)`. */
  id: string;
  button: HTMLElement;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}

type Kind = 'menu' | 'dialog' | 'listbox';

/** Returns the ID that Mantine gives the content of a popover. */
export const contentId = (id: string): string => `${id}-dropdown`;

/**
 * Returns the properties of a button that opens a popup, and the popup once it was opened. `load` loads the code of the popup as soon
 * as the button is pointed at or focused: popups with their positioning are a sixth of the code of a list page.
 */
export function usePopup(kind: Kind, load: () => Promise<unknown>, onOpen?: () => void) {
  const id = useId();
  const [button, setButton] = useState<HTMLElement | null>(null);
  const [isOpen, setIsOpen] = useState<boolean>();
  const setOpen = (next: boolean) => {
    if (next) onOpen?.();
    setIsOpen(next);
  };
  // A failure is shown when the popup is opened.
  const preload = () => void load().catch(() => {});
  const popup: Popup | null = button && isOpen !== undefined ? { id, button, isOpen, setOpen } : null;
  return {
    popup,
    buttonProps: {
      id,
      ref: setButton,
      'aria-haspopup': kind,
      'aria-expanded': isOpen ?? false,
      'aria-controls': isOpen ? contentId(id) : undefined,
      onClick: () => setOpen(!isOpen),
      onKeyDown: (event: KeyboardEvent) => {
        if (kind === 'dialog' || isOpen || event.key !== 'ArrowDown') return;
        event.preventDefault();
        setOpen(true);
      },
      onPointerEnter: preload,
      onFocus: preload,
    },
  };
}
