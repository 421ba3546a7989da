import { type Ref, useEffect, useImperativeHandle, useState } from 'react';
import type { Popup } from './use-popup.ts';

interface PopupButtonProps {
  popup: Popup;
  ref?: Ref<HTMLElement>;
}

/** The target of a Mantine popup whose button is already in the page: renders nothing and provides the button. */
export function PopupButton({ popup: { button }, ref }: PopupButtonProps) {
  useImperativeHandle(ref, () => button, [button]);
  return null;
}

/** Returns whether the popup is open. It opens after its first rendering, because Mantine notes then where the focus has to return to. */
export function useIsOpen({ isOpen }: Popup): boolean {
  const [isRendered, setRendered] = useState(false);
  useEffect(() => setRendered(true), []);
  return isOpen && isRendered;
}
