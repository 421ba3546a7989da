import { VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useSyncExternalStore } from 'react';
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

/**
 * Announces the outcome of a job when it ends. A job that had ended before the page was opened, for example before a reload, is not news.
 * @param jobId null until there is a job
 * @param outcome undefined until the job is loaded, and null until it has ended
 * @param isNew whether the job was started while the page was open
 */
export function useAnnounceEnd(
  jobId: string | null,
  outcome: string | null | undefined,
  isNew = false,
): void {
  const known = useRef(isNew ? null : jobId);
  useEffect(() => {
    if (outcome === null) known.current = null;
    if (!outcome || known.current === jobId) return;
    known.current = jobId;
    announce(outcome);
  }, [jobId, outcome]);
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
