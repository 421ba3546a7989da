import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';

/**
 * A dialog that is open as long as it is there. The focus goes back to what opened it: Mantine's modal does that only when
 * it is told to close, and one that is taken away is not.
 */
export function Dialog(props: Omit<ModalProps, 'opened' | 'lockScroll'>) {
  const [opener] = useState(() => document.activeElement);
  useEffect(() => () => giveFocusBack(opener), [opener]);
  return <Modal opened lockScroll={false} {...props} />;
}

/** Not when somebody has gone on to something else meanwhile. */
function giveFocusBack(opener: Element | null): void {
  const isLost = document.activeElement === null || document.activeElement === document.body;
  if (isLost && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
}
