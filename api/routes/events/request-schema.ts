import { z } from 'zod';

const values = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

/** The names of values that were not stored. */
export const maskedSchema = z
  .strictObject({ query: z.array(z.string()), headers: z.array(z.string()) })
  .meta({
    description:
      'Names of query parameters and headers whose values were not stored, because the mapping did not read them or they look like ' +
      'secrets',
  });

/** The HTTP request of an event, as the receipt shows it and as a preview takes it. */
export const requestSchema = z.strictObject({
  method: z.string(),
  contentType: z.string().nullable(),
  query: values.meta({ description: 'Query parameters. A repeated one is a list' }),
  headers: values.meta({
    description:
      'Headers that the mapping reads or a known sender documents, by name in lower case. Never secrets',
  }),
  masked: maskedSchema.optional(),
  truncated: z.literal(true).optional().meta({ description: 'Present if some were left out' }),
});
