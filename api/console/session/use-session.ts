import { useSyncExternalStore } from 'react';
import { offeredKey, onOffer } from './offered-key.ts';
import { currentSession, onSessionChange, type Session } from './session.ts';

/** Returns the current session and rerenders when it changes. */
export const useSession = (): Session => useSyncExternalStore(onSessionChange, currentSession);

/** Returns the offered key; null if there is none. */
export const useOfferedKey = (): string | null => useSyncExternalStore(onOffer, offeredKey);
