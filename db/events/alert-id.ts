/** How many hexadecimal digits at the end of an id number an event's alerts: 4,095 of them at most. */
const DIGITS = 3;
const NO_ALERT = '0'.repeat(DIGITS);

/** Any UUID as an event's id: its last three digits are left to its alerts. */
export const toEventId = (uuid: string): string => uuid.slice(0, -DIGITS) + NO_ALERT;

/** The id of an event's alert, whose number among them is counted from 0. The same event always gives the same ids. */
export const alertId = (eventId: string, number: number): string =>
  eventId.slice(0, -DIGITS) + (number + 1).toString(16).padStart(DIGITS, '0');

/** The event that an alert is of. */
export const eventIdOf = (alert: string): string => toEventId(alert);
