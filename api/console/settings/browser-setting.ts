import { useSyncExternalStore } from 'react';

/** A choice between two values that the browser remembers for all tabs: it is in localStorage unless it is the default. */
export interface BrowserSetting {
  isSet: () => boolean;
  set: (isSet: boolean) => void;
  /** Returns whether it is set, and rerenders when it changes, also in another tab. */
  use: () => boolean;
}

export function browserSetting(name: string): BrowserSetting {
  const listeners = new Set<() => void>();
  const isSet = () => localStorage.getItem(name) !== null;
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
      if (next) localStorage.setItem(name, 'on');
      else localStorage.removeItem(name);
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, isSet),
  };
}
