import { useSyncExternalStore } from 'react';
import { browserStorage, isStorageBlocked } from './storage.ts';

/** A choice between two values that the browser remembers for all tabs: it is in localStorage unless it is the default. */
export interface BrowserSetting {
  isSet: () => boolean;
  /** Returns false if the browser cannot store the choice because its storage is full or blocked. Then it applies to this tab until a reload. */
  set: (isSet: boolean) => boolean;
  /** Returns whether it is set, and rerenders when it changes, also in another tab. */
  use: () => boolean;
}

export function browserSetting(name: string): BrowserSetting {
  const listeners = new Set<() => void>();
  let unstored: boolean | null = null;
  const isSet = () => unstored ?? browserStorage.getItem(name) !== null;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    window.addEventListener('storage', listener);
    return () => {
      listeners.delete(listener);
      window.removeEventListener('storage', listener);
    };
  };
  return {
    isSet,
    set: (next) => {
      const isStored = store(name, next);
      unstored = isStored ? null : next;
      for (const listener of listeners) listener();
      return isStored;
    },
    use: () => useSyncExternalStore(subscribe, isSet),
  };
}

function store(name: string, isSet: boolean): boolean {
  try {
    if (isSet) browserStorage.setItem(name, 'on');
    else browserStorage.removeItem(name);
    return !isStorageBlocked;
  } catch {
    return false;
  }
}
