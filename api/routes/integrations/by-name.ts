import { z } from 'zod';
import { mappingWarnings } from '../../../workers/mapping/index.js';
import { nameText } from '../../endpoint/parameters.js';
import { oneAtATime } from '../../preview/one-at-a-time.js';
import { byNameRoutes, dryRunQuery } from '../by-name/routes.js';
import { confirmFilter, confirmQuery, filterCheckSchema, isNewFilter } from '../webhooks/confirm-filter.js';
import { lookupWarnings } from '../webhooks/lookup-warnings.js';
import { checkNewMapping, mappingWarningsSchema } from '../webhooks/mapping-body.js';
import { mappingOf } from '../webhooks/new-webhook.js';
import { presentWebhook } from '../webhooks/present.js';
import { removeWebhook } from '../webhooks/remove-webhook.js';
import { integrationDocument, integrationDocumentSchema } from './document.js';
import { planSave, save } from './save-document.js';
import { findDocument } from './stored-document.js';

export const {
  get: getIntegration,
  put: putIntegration,
  remove: deleteIntegration,
} = byNameRoutes({
  one: 'integration',
  object: 'integration',
  many: 'integrations',
  title: 'Integration',
  scopes: { read: ['webhooks:read', 'webhooks:write'], write: ['webhooks:write'] },
  name: nameText,
  document: integrationDocument,
  documented: integrationDocumentSchema,
  /** A mapping and 10,000 heartbeats with long descriptions. */
  maxBytes: 4 * 1024 * 1024,
  query: dryRunQuery.extend(confirmQuery.shape),
  presented: {
    id: z.uuid(),
    url: z
      .string()
      .nullable()
      .meta({ description: 'To send events to. Masked without the scope `webhooks:write`' }),
  },
  saved: {
    id: z.uuid().nullable().meta({ description: 'Null: `dryRun` did not create it' }),
    filter: filterCheckSchema,
    warnings: mappingWarningsSchema,
  },
  notes: {
    put: 'A `name` that differs from that of the URL renames the integration. The URL to send events to stays. A new `signature.secret` keeps the previous one valid for a day.',
    delete: 'Every host rejects its URLs within 5 s. Its events and alerts stay',
  },
  find: (_services, database, name) => findDocument(database, name),
  idOf: ({ webhook }) => webhook.id,
  check: async (input, given, seen) => {
    const { query, principal, services } = input;
    const mapping =
      given.mapping === undefined && given.template !== null
        ? JSON.parse(await mappingOf(services.database, given.template, principal))
        : given.mapping;
    const compiled =
      mapping === undefined
        ? null
        : await oneAtATime(input, (pause) => checkNewMapping(mapping, principal, pause));
    const filter =
      compiled && seen && isNewFilter(seen.document.mapping, mapping)
        ? await confirmFilter(input, {
            webhookId: seen.webhook.id,
            mapping: compiled,
            isConfirmed: query.dryRun || query.confirm !== undefined,
          })
        : undefined;
    const warnings = compiled
      ? [...mappingWarnings(compiled), ...(await lookupWarnings(services.database, compiled))]
      : [];
    return {
      shown: { filter, warnings },
      plan: async (transaction, before) => {
        const plan = planSave(services, before, mapping === undefined ? given : { ...given, mapping });
        return { changes: plan.changes, save: () => save(transaction, plan, { services, principal }) };
      },
    };
  },
  present: async ({ services, principal }, database, found) => {
    if (!found) return { id: null, url: null };
    const { id, url } = await presentWebhook({ ...services, database }, principal, found.webhook.id);
    return { id, url };
  },
  remove: async (transaction, { webhook }) => {
    await removeWebhook(transaction, webhook.id);
  },
  refresh: ({ intake }) => intake.directory.refresh(),
});
