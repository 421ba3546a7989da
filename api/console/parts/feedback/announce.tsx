import { VisuallyHidden } from '@mantine/core';
import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let said = '';

/** Has a screen reader say it. */
export function announce(text: string): void {
  // The same words twice would be no change, and not be said.
  said = text === said ? `${text}\u00a0` : text;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The place that screen readers listen to; once a page. */
export const Announcer = () => (
  <VisuallyHidden role="status" aria-live="polite" data-testid="announcer">
    {useSyncExternalStore(subscribe, () => said)}
  </VisuallyHidden>
);
