import type { AuditEntry } from '../http/types.ts';

/** What the kinds of actors are called. */
export const ACTORS: Readonly<Record<string, string>> = {
  key: 'API key',
  link: 'upload link',
  person: 'person',
  system: 'system',
};

/** Returns an action in words: `updateWebhook` is "Update webhook". */
export function actionName(action: string): string {
  const words = action.replaceAll(/(?<=[a-z])(?=[A-Z])|-/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const OBJECTS: Readonly<Record<string, string>> = {
  api_key: 'API key',
  decisions: 'worklist decisions',
  table: 'lookup table',
  identity_changes: 'feed of changes',
};

/** Returns what a kind of object is called. */
export const objectName = (kind: string): string => OBJECTS[kind] ?? kind.replaceAll('_', ' ');

export const nameOfObject = ({ object }: AuditEntry): string => object.name ?? object.id ?? '–';

const PAGES: Partial<Record<AuditEntry['object']['kind'], (id: string) => string>> = {
  account_system: (id) => `/identities/systems/${id}`,
  decisions: (id) => `/identities/systems/${id}`,
  feed: (id) => `/identities/feeds/${id}`,
  integration: (id) => `/integrations/${id}`,
  heartbeat: (id) => `/integrations/${id}/heartbeats`,
  destination: (id) => `/destinations/${id}`,
  table: (id) => `/tables/${encodeURIComponent(id)}`,
  job: (id) => `/jobs/${id}`,
  event: (id) => `/events/${id}`,
  api_key: () => '/keys',
};

/** Returns the page of the object of an entry; null if there is none, or the entry tells that it was removed. */
export function linkTo({ object, after }: AuditEntry): string | null {
  const page = PAGES[object.kind];
  return page && object.id !== null && after !== null ? page(object.id) : null;
}
