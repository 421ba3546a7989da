import { Command } from 'ioredis';

/** A Redis Cluster divides all keys into this many slots, and its masters share the slots. */
export const SLOTS = 16_384;

/** Returns the slot of a key: that of the part in braces, if it has one. */
export const slotOf = (key: string): number => new Command('get', [key]).getSlot();
