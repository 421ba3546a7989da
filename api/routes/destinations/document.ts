import { z } from 'zod';
import { presetOf } from '../../../workers/outbox/presets/index.js';
import { managedBy } from '../../endpoint/managed-by.js';
import { nameText } from '../../endpoint/parameters.js';
import { digestOf, rateOf } from './preset-rules.js';
import { headerChange, newDestinationSchema } from './schema.js';

/** Everything of a destination that a file can hold. What it says of integrations names them. */
export const destinationDocument = newDestinationSchema.omit({ webhookIds: true }).extend({
  url: newDestinationSchema.shape.url.meta({
    description:
      'Where messages are sent, for all presets but `email`. Without it, the one that is stored stays',
  }),
  secret: newDestinationSchema.shape.secret.meta({
    description:
      'The routing key of PagerDuty, or for `webhook` the secret of the signature (`whsec_…`). Without it, the one that is stored stays; Muster makes the secret of the signature of a new ' +
      'destination',
  }),
  headers: headerChange.default({}).meta({
    description:
      'Sent with each message, for the presets `webhook` and `alertmanager`. Null: the value that is stored stays. If the URL gets another host, each value must be given again',
  }),
  integrations: z.array(nameText).max(1_000).nullable().default(null).meta({
    description: 'The names of the integrations whose alerts it is told of. Null: all. Empty: none',
  }),
  managedBy: managedBy.default(null),
});

export type DestinationDocument = z.infer<typeof destinationDocument>;

/** Returns a document with what its preset says in place of what it leaves out. */
export function withPreset(document: DestinationDocument): DestinationDocument {
  const preset = presetOf(document.preset);
  const { mode = preset?.mode, filter, ratePerMinute, digestAbove, ...others } = document;
  return {
    ...others,
    filter: filter || null,
    mode,
    ratePerMinute: ratePerMinute === undefined ? preset && rateOf(preset) : ratePerMinute,
    digestAbove: digestAbove === undefined ? preset && digestOf(preset) : digestAbove,
  };
}
