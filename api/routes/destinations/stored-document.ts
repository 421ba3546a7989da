import type { Database } from '../../../db/client/connect.js';
import { type Destination, findDestinationsByName } from '../../../db/outbox/destinations.js';
import { OWN_INTEGRATION } from '../../../db/outbox/own-integration.js';
import { namesOfWebhooks } from '../../../db/webhooks/webhooks.js';
import { recipientsIn } from '../../../workers/outbound/mail-address.js';
import { presetOf } from '../../../workers/outbox/presets/index.js';
import { hashJson } from '../../http/entity-tag.js';
import { ambiguousName, type Stored } from '../by-name/routes.js';
import type { DestinationDocument } from './document.js';
import { headersOf, type Opener, settingsOf } from './present.js';

/** A destination as its document, without secrets. */
export interface StoredDestination extends Stored<DestinationDocument> {
  destination: Destination;
}

/**
 * Returns the destination of a name, or null if there is none.
 * @throws RequestError 409 `ambiguous_name` if there are several
 */
export async function findDocument(
  database: Database,
  name: string,
  box: Opener,
): Promise<StoredDestination | null> {
  const found = await findDestinationsByName(database, name);
  const [destination] = found;
  if (!destination) return null;
  if (found.length > 1)
    throw ambiguousName(
      'destinations',
      name,
      found.map(({ id }) => id),
    );
  const { url, secret, headers, revision, savedBy, updatedAt } = destination;
  const document = await toDocument(database, destination, box);
  const sealed = [url, secret, headers].map((bytes) => bytes?.toString('base64') ?? null);
  return { destination, document, tag: hashJson([document, sealed]), revision, savedBy, updatedAt };
}

async function toDocument(
  database: Database,
  destination: Destination,
  box: Opener,
): Promise<DestinationDocument> {
  const { id, webhookIds } = destination;
  const address = presetOf(destination.preset)?.isMail ? box.open(destination.url, id) : null;
  const recipients = address === null ? null : recipientsIn(address);
  const names = await namesOf(database, webhookIds ?? []);
  return {
    ...settingsOf(destination),
    ...(recipients ? { recipients } : {}),
    headers: Object.fromEntries(Object.keys(headersOf(destination, box)).map((name) => [name, null])),
    integrations: webhookIds?.flatMap((id) => names.get(id) ?? []) ?? null,
    paused: destination.pausedAt !== null,
  };
}

/** Returns the names of those integrations that exist, by id. */
async function namesOf(database: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const own = ids.includes(OWN_INTEGRATION.id) ? [OWN_INTEGRATION] : [];
  const found = await namesOfWebhooks(database, { ids });
  return new Map([...own, ...found].map(({ id, name }) => [id, name]));
}

/** The integrations that a document names. */
export interface NamedIntegrations {
  /** With the deleted ones that are stored: their alerts still end. Null: all. */
  ids: string[] | null;
  /** Names that no integration has. */
  missing: string[];
}

/**
 * Finds the integrations that a document names.
 * @param stored the ids that the destination has
 * @throws RequestError 409 `ambiguous_name` if several have a name
 */
export async function findNamed(
  database: Database,
  names: readonly string[] | null,
  stored: readonly string[],
): Promise<NamedIntegrations> {
  if (names === null) return { ids: null, missing: [] };
  const found = [
    ...(await namesOfWebhooks(database, { names })),
    ...(names.includes(OWN_INTEGRATION.name) ? [OWN_INTEGRATION] : []),
  ];
  const idsOf = (name: string) => found.filter((one) => one.name === name).map(({ id }) => id);
  const idByName = new Map(
    names.map((name) => {
      const [id, ...others] = idsOf(name);
      if (id !== undefined && others.length > 0) throw ambiguousName('integrations', name, [id, ...others]);
      return [name, id];
    }),
  );
  const known = await namesOf(database, stored);
  const named = names.flatMap((name) => idByName.get(name) ?? []);
  return {
    ids: [...new Set([...named, ...stored.filter((id) => !known.has(id))])],
    missing: names.filter((name) => idByName.get(name) === undefined),
  };
}
