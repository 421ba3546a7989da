import { z } from 'zod';
import { managedBy } from '../../endpoint/managed-by.js';
import { heartbeatName, heartbeatSettings } from '../heartbeats/schema.js';
import { mappingDoc } from '../webhooks/mapping-body.js';
import { newWebhookSchema } from '../webhooks/schema.js';
import { signatureSettings } from '../webhooks/signature-schema.js';

const heartbeats = z.record(heartbeatName, heartbeatSettings).default({}).meta({
  description: 'By name. Those that are not listed are deleted, but for those that only a ping has created',
});

/**
 * Everything of an integration that a file can hold: what somebody sets, not what happens to it. Its URLs, imported tokens and mute are
 * not in it.
 */
export const integrationDocument = newWebhookSchema.omit({ mutedUntil: true }).extend({
  template: z.string().max(40).nullable().default(null).meta({
    description:
      'Where the mapping comes from, if the document has none: a name from `GET /v2/webhook-templates`',
  }),
  mapping: z.unknown().optional(),
  signature: signatureSettings.nullable().default(null).meta({
    description: 'Without `secret`, the one that is stored stays',
  }),
  heartbeats,
  managedBy: managedBy.default(null),
});

/** How the document is described: with the schema of its mapping, whose errors a request learns from the compiler. */
export const integrationDocumentSchema = integrationDocument
  .extend({
    mapping: mappingDoc.optional().meta({
      description: 'Default: that of the template. Without a template, the mapping stays as it is',
    }),
  })
  .meta({ id: 'IntegrationDocument' });

export type IntegrationDocument = z.infer<typeof integrationDocument>;
