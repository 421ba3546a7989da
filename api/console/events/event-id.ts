/** Enough of an event's id to tell it from others. The first part is time; the last three digits number its alerts. */
export const shortEventId = (id: string): string => `…${id.slice(-12, -3)}`;
