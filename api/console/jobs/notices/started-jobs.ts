import { useSyncExternalStore } from 'react';

let started: readonly string[] = [];
const listeners = new Set<() => void>();

function change(next: readonly string[]): void {
  started = next;
  for (const listener of listeners) listener();
}

/** Notes that this tab has started a job, so that the console says when it has ended, on whichever page the user is then. */
export const noteStarted = (jobId: string): void => change([...started.filter((id) => id !== jobId), jobId]);

export const forgetStarted = (jobId: string): void => change(started.filter((id) => id !== jobId));

export const forgetAllStarted = (): void => change([]);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns the ids of the jobs that this tab has started and that have not ended yet. */
export const useStartedJobs = (): readonly string[] => useSyncExternalStore(subscribe, () => started);
