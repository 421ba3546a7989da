/** The number of hexadecimal digits at the end of an alert's id that number the alerts of its event: at most 4,095. */
const DIGITS = 3;
const MAX_ALERTS = 16 ** DIGITS - 1;
const NO_ALERT = '0'.repeat(DIGITS);

/** Returns a UUID as the id of an event: the last three digits, which number its alerts, are 0. */
export const toEventId = (uuid: string): string => uuid.slice(0, -DIGITS) + NO_ALERT;

/** The position of the version in the text of a UUID, and that of ids made from a time. */
const VERSION_AT = 14;
const TIME_VERSION = '7';

/**
 * Returns whether an event's id may be used for a second event: ids that contain their time are new for each event. All others follow from an id
 * that the sender chose, and are the same when it delivers the event again.
 */
export const isDeliveryId = (eventId: string): boolean => eventId[VERSION_AT] !== TIME_VERSION;

/** Returns the id of an event's alert. `number` counts from 0. The same event always gets the same alert ids. */
export const alertId = (eventId: string, number: number): string =>
  eventId.slice(0, -DIGITS) + (number + 1).toString(16).padStart(DIGITS, '0');

/** Returns the highest id that an alert of the event can have. */
export const lastAlertId = (eventId: string): string => alertId(eventId, MAX_ALERTS - 1);

/** Returns the id of an alert's event. */
export const eventIdOf = (alert: string): string => toEventId(alert);

/** Returns the number of an alert or item in its event, from 0. */
export const itemNumberOf = (id: string): number => Number.parseInt(id.slice(-DIGITS), 16) - 1;
