/**
 * The key of a series whose items have none, because identical events are counted in it. It starts with a space: a key from a payload never
 * does. It is not shown, and its alerts have no status. Made by `workers/mapping/series/repeat-key.ts`.
 */
export const isGeneratedKey = (key: string): boolean => key.startsWith(' ');

/** The pattern of generated keys for LIKE. */
export const GENERATED_KEYS = ' %';
