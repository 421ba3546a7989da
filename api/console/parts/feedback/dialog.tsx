import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';

/**
 * A dialog that is open while it is mounted. When it unmounts, the focus returns to the element that opened it: Mantine's
 * modal restores the focus only when `opened` becomes false.
 */
export function Dialog(props: Omit<ModalProps, 'opened' | 'lockScroll'>) {
  const [opener] = useState(focusedElement);
  useEffect(() => () => restoreFocus(opener), [opener]);
  return <Modal opened lockScroll={false} {...props} />;
}

/** Returns the element that has the focus, also inside the shadow root of an editor. */
function focusedElement(): Element | null {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
}

/** Focuses the opener, unless the focus has already moved to another element. */
function restoreFocus(opener: Element | null): void {
  const isLost = document.activeElement === null || document.activeElement === document.body;
  if (isLost && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
}
