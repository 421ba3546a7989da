/** Returns the part of an event's id that differs between events. The first part is a timestamp; the last three digits count its alerts. */
export const shortEventId = (id: string): string => `…${id.slice(-12, -3)}`;
