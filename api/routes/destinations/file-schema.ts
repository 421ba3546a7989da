import { z } from 'zod';
import { presetOf } from '../../../workers/outbox/presets/index.js';
import { faultsIn } from '../../http/faults.js';
import { secretReference } from '../by-name/secret-reference.js';
import { destinationDocument } from './document.js';
import { requireBody, requireFilter } from './drawn.js';
import {
  addressFor,
  digestFor,
  headersFor,
  requireAddress,
  requireSecretTaken,
  requireTypes,
} from './preset-rules.js';
import { checkHeaders } from './schema.js';

/** A destination as a file has it: its document, with references in place of its URL, secret and headers. */
export const destinationFile = destinationDocument
  .extend({
    url: secretReference.optional(),
    secret: secretReference.optional(),
    headers: z.record(z.string(), secretReference.nullable()).superRefine(checkHeaders).default({}).meta({
      description: 'Sent with each message. Null: the value that is stored stays',
    }),
  })
  .superRefine(({ preset: name, ...given }, context) => {
    const preset = presetOf(name);
    if (!preset) return;
    const faults = faultsIn(
      () => requireFilter(given.filter),
      () => requireBody(preset, given.body),
      () => requireTypes(preset, given.types),
      () => (preset.isMail ? requireAddress : addressFor)(preset, given),
      () => requireSecretTaken(preset, given.secret),
      () => headersFor(preset, {}, given.headers),
      () => digestFor(preset, given.digestAbove ?? null),
    );
    for (const { details } of faults)
      for (const { field, message } of details.errors ?? [])
        context.addIssue({ code: 'custom', path: field?.split('.') ?? [], message });
  })
  .meta({
    title: 'Muster destination',
    description: 'A destination of Muster: who is told of alerts, of which, and how',
  });

export type DestinationFileContent = z.infer<typeof destinationFile>;
