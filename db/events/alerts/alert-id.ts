/** The position of the version in the text of a UUID. */
const VERSION_AT = 14;
/** The versions of ids that are made from a time, and those of events that may have many alerts. */
const TIME_VERSIONS = ['7', '6'];
const WIDE_VERSIONS: ReadonlyMap<string, string> = new Map([
  ['7', '6'],
  ['8', '5'],
]);
const WIDE = [...WIDE_VERSIONS.values()];

/** The number of hexadecimal digits at the end of an alert's id that number the alerts of its event. */
const digitsOf = (id: string): number => (WIDE.includes(id.charAt(VERSION_AT)) ? 4 : 3);

/** Returns how many alerts an event with an id can have: 4,095, or 65,535 if its id is a wide one. */
export const maxAlerts = (eventId: string): number => 16 ** digitsOf(eventId) - 1;

/** Returns a UUID as the id of an event: the last three digits, or four of a wide one, which number its alerts, are 0. */
export function toEventId(uuid: string): string {
  const digits = digitsOf(uuid);
  return uuid.slice(0, -digits) + '0'.repeat(digits);
}

/** Returns a UUIDv7 or v8 as the id of an event that may have more than 4,095 alerts. The version says so. */
export const toWideEventId = (uuid: string): string =>
  toEventId(
    uuid.slice(0, VERSION_AT) + WIDE_VERSIONS.get(uuid.charAt(VERSION_AT)) + uuid.slice(VERSION_AT + 1),
  );

/**
 * Returns whether an event's id may be used for a second event: ids that contain their time are new for each event. All others follow from an id
 * that the sender chose, and are the same when it delivers the event again.
 */
export const isDeliveryId = (eventId: string): boolean => !TIME_VERSIONS.includes(eventId.charAt(VERSION_AT));

/** Returns the id of an event's alert. `number` counts from 0. The same event always gets the same alert ids. */
export function alertId(eventId: string, number: number): string {
  const digits = digitsOf(eventId);
  return eventId.slice(0, -digits) + (number + 1).toString(16).padStart(digits, '0');
}

/** Returns the highest id that an alert of the event can have. */
export const lastAlertId = (eventId: string): string => alertId(eventId, maxAlerts(eventId) - 1);

/** Returns the id of an alert's event. */
export const eventIdOf = (alert: string): string => toEventId(alert);

/** Returns the number of an alert or item in its event, from 0. */
export const itemNumberOf = (id: string): number => Number.parseInt(id.slice(-digitsOf(id)), 16) - 1;
