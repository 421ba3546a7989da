import { z } from 'zod';
import { deleteDestination } from '../../../db/outbox/destinations.js';
import { nameText } from '../../endpoint/parameters.js';
import { faultsIn, throwFaults } from '../../http/faults.js';
import { byNameRoutes, dryRunQuery } from '../by-name/routes.js';
import { destinationDocument } from './document.js';
import { requireBody, requireFilter } from './drawn.js';
import { addressFor, digestFor, requirePreset, requireTypes } from './preset-rules.js';
import { planSave } from './save-document.js';
import { targetFaults } from './settings.js';
import { findDocument } from './stored-document.js';

export const {
  get: getDestinationByName,
  put: putDestinationByName,
  remove: deleteDestinationByName,
} = byNameRoutes({
  one: 'destination',
  object: 'destination',
  many: 'destinations',
  title: 'Destination',
  scopes: { read: ['destinations:read', 'destinations:write'], write: ['destinations:write'] },
  name: nameText,
  document: destinationDocument,
  documented: destinationDocument.meta({ id: 'DestinationDocument' }),
  /** The names of a thousand integrations. */
  maxBytes: 1024 * 1024,
  query: dryRunQuery,
  presented: { id: z.uuid() },
  saved: {
    id: z.uuid().nullable().meta({ description: 'Null: `dryRun` did not create it' }),
    secret: z.string().nullable().meta({
      description: 'The secret of the signature, if Muster has made it. It is never shown again',
    }),
    missing: z.array(z.string()).meta({
      description: 'With `dryRun`: the integrations that there must be before the document can be saved',
    }),
  },
  notes: {
    put: 'A `name` that differs from that of the URL renames the destination; its `preset` cannot change. A new `secret` of the signature keeps the previous one valid for a day.',
    delete: 'Messages that wait are not sent',
  },
  find: (services, database, name) => findDocument(database, name, services.intake.box),
  idOf: ({ destination }) => destination.id,
  check: async ({ services, principal, query: { dryRun } }, given) => {
    const preset = requirePreset(given.preset);
    throwFaults([
      ...faultsIn(
        () => requireFilter(given.filter),
        () => requireBody(preset, given.body),
        () => requireTypes(preset, given.types),
        () => digestFor(preset, given.digestAbove ?? null),
        () => addressFor(preset, given),
      ),
      ...(await targetFaults(services, given.url)),
    ]);
    const address = addressFor(preset, given);
    if (given.url === undefined) throwFaults(await targetFaults(services, address));
    return {
      plan: (transaction, before) => planSave(transaction, before, given, { services, principal, dryRun }),
    };
  },
  present: async (_viewer, _database, found) => ({ id: found?.destination.id ?? null }),
  remove: async (transaction, { destination }) => {
    await deleteDestination(transaction, destination.id);
  },
});
