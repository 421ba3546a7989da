import { z } from 'zod';
import { managedBy } from '../../../api/endpoint/managed-by.js';

/** `muster.yaml`: what holds for all files of a folder. */
export const settingsFile = z.strictObject({
  managedBy: managedBy.default(null).meta({ description: 'Of each integration that says nothing else' }),
  server: z
    .url({ protocol: /^https?$/, error: 'must be a URL such as https://muster.example.com' })
    .nullable()
    .default(null)
    .meta({ description: 'The address of Muster' }),
});

export type Settings = z.infer<typeof settingsFile>;
