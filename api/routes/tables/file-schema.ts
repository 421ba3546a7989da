import { z } from 'zod';
import { MATCHINGS } from '../../../db/lookups/lookup-keys.js';
import { managedBy } from '../../endpoint/managed-by.js';

/** A lookup table: how its rows are found, and the CSV file that has them. */
export const tableFile = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be 1 to 64 lower-case letters, digits, "_" or "-"'),
    key: z
      .union([z.string(), z.array(z.string()).min(1).max(20)])
      .optional()
      .transform((given) => (given === undefined ? undefined : [given].flat()))
      .meta({ description: 'The key columns. Default: the first column' }),
    matching: z.enum(MATCHINGS).default('exact'),
    file: z.string().min(1).optional().meta({ description: 'Relative to this file. Default: NAME.csv' }),
    managedBy: managedBy.default(null),
  })
  .meta({
    title: 'Muster lookup table',
    description: 'A lookup table of Muster: the CSV file of its rows, and how keys find them',
  });

export type TableFileContent = z.infer<typeof tableFile>;
