const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
/** The id of an event ends like this. Those of its alerts end with their number. */
const EVENT_END = '000';

interface Kind {
  name: string;
  /** The path of its page. */
  page: string;
  /** The path of the API. */
  api: string;
}

const EVENT: Kind = { name: 'Event', page: '/events', api: '/v2/events' };
const ALERT: Kind = { name: 'Alert', page: '/alerts', api: '/v2/alerts' };
const OTHERS: readonly Kind[] = [
  { name: 'Job', page: '/jobs', api: '/v2/jobs' },
  { name: 'Integration', page: '/integrations', api: '/v2/webhooks' },
  { name: 'Destination', page: '/destinations', api: '/v2/destinations' },
];

/** Returns the first UUID in a text, such as an address or a line of a log, in lowercase; null if there is none. */
export const uuidIn = (text: string): string | null => UUID.exec(text)?.[0].toLowerCase() ?? null;

/** Returns what an id can belong to, the likeliest first. Events and alerts cannot have the same id. */
export const kindsOf = (id: string): readonly Kind[] => [id.endsWith(EVENT_END) ? EVENT : ALERT, ...OTHERS];
