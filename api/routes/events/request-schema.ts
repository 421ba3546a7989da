import { z } from 'zod';

const values = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

/** The HTTP request of an event, as the receipt shows it and as a preview takes it. */
export const requestSchema = z.strictObject({
  method: z.string(),
  contentType: z.string().nullable(),
  query: values.meta({ description: 'Query parameters. A repeated one is a list' }),
  headers: values.meta({
    description: 'Headers that describe the event, by name in lower case. Never secrets',
  }),
  truncated: z.literal(true).optional().meta({ description: 'Present if some were left out' }),
});
