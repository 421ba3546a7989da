import { useEffect } from 'react';

/** Dialogs need this long to return the focus themselves. */
const GRACE_MS = 120;

/**
 * Keeps the focus when the focused element is disabled or removed, for example the button that saves. Browsers drop it then, and the
 * next Tab starts at the top of the document. A button that is enabled again gets it back; otherwise the page does.
 */
export function useKeptFocus(pageId: string): void {
  useEffect(() => {
    let last: HTMLElement | null = null;
    let timer = 0;
    const note = ({ target }: FocusEvent) => {
      last = target instanceof HTMLElement ? target : null;
    };
    // A click on something that cannot have the focus drops it on purpose.
    const drop = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && last?.contains(target))) last = null;
    };
    const restore = () => {
      if (!last || !isDropped(last) || isWorking(last)) return;
      const isUsable = last.isConnected && !isDisabled(last);
      const target = isUsable ? last : document.getElementById(pageId);
      target?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      if (!last || !isDropped(last)) return;
      clearTimeout(timer);
      timer = window.setTimeout(restore, GRACE_MS);
    });
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    document.addEventListener('focusin', note);
    document.addEventListener('pointerdown', drop, { capture: true });
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('focusin', note);
      document.removeEventListener('pointerdown', drop, { capture: true });
    };
  }, [pageId]);
}

/** Also true for a disabled element: browsers drop its focus only when they draw the page. */
function isDropped(last: HTMLElement): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || (activeElement === last && isDisabled(last));
}

const isDisabled = (element: HTMLElement): boolean => element.hasAttribute('disabled');

/** A button that shows that it works is enabled again when it is done. */
const isWorking = (element: HTMLElement): boolean =>
  element.isConnected && isDisabled(element) && element.hasAttribute('data-loading');
