import type { Event } from '../http/types.ts';

/** The states of events whose whole body is stored and that a mapping reads: neither rejected ones, nor pings, nor Muster's own. */
export const MAPPED_STATES: readonly Event['state'][] = ['normalized', 'filtered', 'failed'];

/** Returns whether a mapping reads an event. */
export const isMapped = ({ state }: Pick<Event, 'state'>): boolean => MAPPED_STATES.includes(state);
