import { z } from 'zod';
import { MAX_TEMPLATE } from '../template/template.js';
import { LONG_BYTES } from '../values/truncate.js';

/** The fields of an alert that a mapping fills, in the order they are shown. */
export const ALERT_FIELDS = [
  'title',
  'severity',
  'description',
  'source',
  'service',
  'environment',
  'team',
] as const;

export type AlertField = (typeof ALERT_FIELDS)[number];

/** Without these an alert is incomplete. */
export const REQUIRED_FIELDS: readonly AlertField[] = ['severity', 'description', 'source'];

const fieldSchema = z
  .strictObject({
    template: z.string().max(MAX_TEMPLATE).optional().describe('Moustache: text with {{webhook.path}} tags'),
    default: z
      .string()
      .max(LONG_BYTES)
      .regex(/\S/, 'must not be blank')
      .optional()
      .describe('When a tag finds nothing'),
    values: z
      .record(z.string().max(255), z.string().min(1).max(255))
      .refine((values) => Object.keys(values).length <= 500, 'must have at most 500 values')
      .optional()
      .describe('What to put in place of the rendered text, whatever its case'),
  })
  .describe('How one field is filled');

const customName = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
    'must be a name of 1 to 64 letters, digits, _ and -, starting with a letter',
  );

/** A mapping revision as it is sent and stored. */
export const mappingSchema = z
  .strictObject({
    split: z.string().min(1).max(1_000).nullish().describe('The list in the payload, one alert an item'),
    expandJson: z.array(z.string().min(1).max(1_000)).max(10).optional().describe('Texts that hold JSON'),
    fields: z.strictObject(
      Object.fromEntries(ALERT_FIELDS.map((name) => [name, fieldSchema.optional()])) as Record<
        AlertField,
        z.ZodOptional<typeof fieldSchema>
      >,
    ),
    custom: z
      .record(customName, fieldSchema)
      .refine((custom) => Object.keys(custom).length <= 50, 'must have at most 50 fields')
      .optional()
      .describe('Fields of your own'),
  })
  .describe('How payloads become alerts');

export type FieldMapping = z.infer<typeof fieldSchema>;
export type Mapping = z.infer<typeof mappingSchema>;
