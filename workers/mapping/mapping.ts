import { z } from 'zod';

/** The fields that every alert has, in the order in which people read them. */
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

const MAX_TEMPLATE = 8_000;
const MAX_CUSTOM_FIELDS = 50;

/** How one field is filled: a moustache template, what stands in when it finds nothing, and other words for its values. */
export const fieldMapping = z.strictObject({
  template: z.string().max(MAX_TEMPLATE),
  default: z.string().max(255).optional(),
  /** Looked up in any case; a value that is not in it passes through. */
  values: z.record(z.string(), z.string().max(255)).optional(),
});
export type FieldMapping = z.infer<typeof fieldMapping>;

/** How a payload becomes alerts. `{{webhook.…}}` is the whole payload, `{{item.…}}` the element when `split` is set. */
export const mappingSchema = z.strictObject({
  /** Path of an array in the payload, each element of which is an alert; null: the payload is one. */
  split: z.string().max(1_000).nullable().default(null),
  fields: z.partialRecord(z.enum(ALERT_FIELDS), fieldMapping),
  custom: z
    .record(z.string().min(1).max(100), fieldMapping)
    .refine((fields) => Object.keys(fields).length <= MAX_CUSTOM_FIELDS, `at most ${MAX_CUSTOM_FIELDS}`)
    .default({}),
});
export type Mapping = z.infer<typeof mappingSchema>;
