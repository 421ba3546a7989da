type Values = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'>;

/** Returns a storage of the browser; null if the browser blocks it. Then the access itself throws. */
function open(access: () => Storage): Values | null {
  try {
    return access();
  } catch {
    return null;
  }
}

/** Returns a storage that ends when the page is left. */
function memory(): Values {
  const values = new Map<string, string>();
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, value),
    removeItem: (name) => void values.delete(name),
    clear: () => values.clear(),
  };
}

const shared = open(() => localStorage);

/** Whether the browser blocks its storage, for example together with cookies. The console works, but forgets all when its page is left. */
export const isStorageBlocked = shared === null;
/** What belongs to all tabs of the browser: localStorage. */
export const browserStorage = shared ?? memory();
/** What belongs to this tab and is deleted with it: sessionStorage. */
export const tabStorage = open(() => sessionStorage) ?? memory();
