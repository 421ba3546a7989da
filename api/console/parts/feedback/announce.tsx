import { VisuallyHidden } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { withoutCodeMarks } from '../../text/code-parts.ts';

const listeners = new Set<() => void>();
let announcement = '';

/** Announces a text or a message of the API to screen readers. */
export function announce(message: string): void {
  const text = withoutCodeMarks(message);
  // Screen readers ignore an unchanged text, so a repeated one gets a trailing space.
  announcement = text === announcement ? `${text}\u00a0` : text;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The live region for screen readers. A page has one. */
export const Announcer = () => (
  <VisuallyHidden role="status" aria-live="polite" data-testid="announcer">
    {useSyncExternalStore(subscribe, () => announcement)}
  </VisuallyHidden>
);
