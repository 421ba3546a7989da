import { accountSystems } from './account-systems.js';
import { destinations } from './destinations.js';
import { integrations } from './integrations.js';
import type { ServerKind } from './server-kind.js';
import { tables } from './tables.js';
import { templates } from './templates.js';

/** The kinds that are kept on a server. What refers to others comes after them; deletions go the other way. */
export const SERVER_KINDS: readonly ServerKind[] = [
  accountSystems,
  tables,
  templates,
  integrations,
  destinations,
];

export function kindOf(one: ServerKind['one']): ServerKind {
  const kind = SERVER_KINDS.find((kind) => kind.one === one);
  if (!kind) throw new Error(`${one} is not kept on a server`);
  return kind;
}
