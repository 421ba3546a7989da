import { LosslessNumber } from 'lossless-json';
import { z } from 'zod';
import { MAPPED_FIELDS } from '../../../workers/mapping/index.js';

/** A text, or a number or truth value that YAML reads where one is meant: as it is written. */
const text = z
  .union([z.string(), z.number(), z.boolean(), z.instanceof(LosslessNumber)], { error: 'must be a text' })
  .transform(String);

const values = z.record(
  z.string(),
  z.union([text, z.array(text)], { error: 'must be a text, or a list of texts' }),
);

const payload = {
  payload: z.unknown().optional().meta({ description: 'The payload, written as YAML or JSON' }),
  payloadFile: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'A file with the payload, relative to this file' }),
};

/** A request, in a sample or in a file of its own. */
export const sampleRequest = z
  .strictObject({
    method: z.string().default('POST'),
    contentType: z.string().nullable().optional(),
    headers: values.default({}),
    query: values.default({}),
    ...payload,
  })
  .refine(({ payload, payloadFile }) => (payload === undefined) !== (payloadFile === undefined), {
    error: 'must have either payload or payloadFile',
  });

/** An alert as a sample expects it: only the fields that have a value. */
const expectedAlert = z.strictObject({
  ...(Object.fromEntries(MAPPED_FIELDS.map((name) => [name, text.optional()])) as Record<
    (typeof MAPPED_FIELDS)[number],
    z.ZodOptional<typeof text>
  >),
  custom: z.record(z.string(), text).default({}),
});

const sample = z
  .strictObject({
    name: text.pipe(z.string().min(1).max(200)),
    ...payload,
    request: sampleRequest.optional(),
    requestFile: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'A file with the request, relative to this file' }),
    lookups: z
      .record(z.string(), z.record(z.string(), text).nullable())
      .optional()
      .meta({ description: 'By the name of a lookup, the row that it finds. Null: none' }),
    alerts: z.array(expectedAlert).optional(),
  })
  .superRefine((given, context) => {
    const { payload, payloadFile, request, requestFile } = given;
    const sources = [payload, payloadFile, request, requestFile].filter((one) => one !== undefined);
    if (sources.length !== 1)
      context.addIssue({
        code: 'custom',
        message: 'must have exactly one of payload, payloadFile, request and requestFile',
      });
  });

/** What is next to an integration: payloads, and the alerts that they must become. */
export const samplesFile = z.array(sample).superRefine((samples, context) => {
  const seen = new Set<string>();
  for (const [index, { name }] of samples.entries()) {
    if (seen.has(name))
      context.addIssue({
        code: 'custom',
        path: [index, 'name'],
        message: `another sample has the name ${JSON.stringify(name)}`,
      });
    seen.add(name);
  }
});

export type Sample = z.infer<typeof samplesFile>[number];
export type ExpectedAlert = z.infer<typeof expectedAlert>;
