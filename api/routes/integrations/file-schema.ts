import type { z } from 'zod';
import { mappingSchema } from '../../../workers/mapping/index.js';
import { findPreset } from '../../intake/signature/presets/index.js';
import { settingProblems } from '../../intake/signature/settings.js';
import { secretReference } from '../by-name/secret-reference.js';
import { signatureSettings } from '../webhooks/signature-schema.js';
import { integrationDocument } from './document.js';

const signature = signatureSettings
  .extend({ secret: secretReference.optional() })
  .superRefine(({ scheme, parameters, secret }, context) => {
    // What the secret is shows only when it is sent.
    const problems = settingProblems({ scheme, parameters, secret: null }).filter(
      ({ path: [first] }) => first !== 'secret',
    );
    for (const { path, message } of problems) context.addIssue({ code: 'custom', path: [...path], message });
    const preset = findPreset(scheme);
    if (secret !== undefined && preset?.secret === null) {
      const message = `must not be given: ${preset.title} has no secret`;
      context.addIssue({ code: 'custom', path: ['secret'], message });
    }
  })
  .nullable()
  .default(null)
  .meta({
    description:
      'How events prove that they come from the source. Without `secret`, the one that is stored stays',
  });

/** An integration as a file has it: its document, with a reference in place of the secret. */
export const integrationFile = integrationDocument
  .extend({
    mapping: mappingSchema.optional().meta({
      description: 'Default: that of the template. Without a template, the mapping stays as it is',
    }),
    signature,
  })
  .meta({
    title: 'Muster integration',
    description: 'An integration of Muster: where events come from, and how they become alerts',
  });

export type IntegrationFileContent = z.infer<typeof integrationFile>;
