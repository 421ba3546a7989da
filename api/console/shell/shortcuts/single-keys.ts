import { useSyncExternalStore } from 'react';

/** Where the browser notes that single-key shortcuts are off. They are on by default. */
const NAME = 'muster.single-keys';
const OFF = 'off';

const listeners = new Set<() => void>();

/** Returns whether shortcuts that are a single letter are on. Speech input and trembling hands press such keys by accident. */
export const hasSingleKeys = (): boolean => localStorage.getItem(NAME) !== OFF;

export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, OFF);
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSingleKeys = (): boolean => useSyncExternalStore(subscribe, hasSingleKeys);
