/** How the keys of Muster's own alerts begin: of heartbeats, and of the silence of a source. An event from a source has no such key. */
export const OWN_KEY_PREFIX = 'muster:';

/** Returns whether a key is one of Muster's own. */
export const isOwnKey = (dedupKey: string): boolean => dedupKey.startsWith(OWN_KEY_PREFIX);
