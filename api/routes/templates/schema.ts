import { z } from 'zod';
import { MAX_DEPTH, parsePayload } from '../../../workers/mapping/index.js';
import { authorSchema } from '../../endpoint/error-responses.js';
import { managedBy } from '../../endpoint/managed-by.js';
import { descriptionText, nameText } from '../../endpoint/parameters.js';

/** In bytes of JSON. */
const SAMPLE_MAX_BYTES = 64 * 1024;

/** The name of a template, as `template` of a new integration names it. */
export const templateName = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/,
    'must have 1 to 40 lower-case letters, digits and hyphens, with a letter or digit at both ends',
  );

const sample = z.unknown().superRefine((value, { addIssue }) => {
  if (value === undefined) return addIssue('must be a payload');
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > SAMPLE_MAX_BYTES)
    addIssue(`must have at most ${SAMPLE_MAX_BYTES.toLocaleString('en-US')} bytes as JSON`);
  else if ('error' in parsePayload(text)) addIssue(`must be nested at most ${MAX_DEPTH} levels deep`);
});
const mapping = z.unknown().refine((value) => value !== undefined, 'must be a mapping');

export const newTemplateSchema = z.strictObject({
  name: templateName,
  title: nameText.optional(),
  description: descriptionText.default(''),
  mapping,
  sample,
});

export const templateChangeSchema = z
  .strictObject({
    title: nameText.optional(),
    description: descriptionText.optional(),
    mapping: z.unknown().optional(),
    sample: sample.optional(),
    managedBy: managedBy.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'must have at least one property to change');

/** A template in a response. */
export const templateSchema = z
  .object({
    name: z.string(),
    title: z.string(),
    description: z.string(),
    origin: z
      .enum(['catalogue', 'saved'])
      .meta({ description: '`saved`: somebody saved it with `POST /v2/webhook-templates`' }),
    documentation: z.string().nullable(),
    options: z.string().nullable().meta({
      description:
        "What to set in the source's webhook. `null` if its defaults are right, and for a saved template",
    }),
    dropInPath: z.string().nullable().meta({
      description:
        'Of the API of another product that Muster understands: the path below the webhook URL that programs of that product are to send to. `null` for others',
    }),
    signature: z
      .object({ scheme: z.string(), parameters: z.record(z.string(), z.string()), setup: z.string() })
      .nullable()
      .meta({
        description:
          'How the source can sign its events: `scheme` and `parameters` for `signature` of an integration, and where to find the secret',
      }),
    repeatSeconds: z.number().int().nullable().meta({
      description:
        'How often the source repeats what still fires, unless it is set to something else. Propose three times as much for `resolveAfterSeconds`. `null` if it does not, and for a saved template',
    }),
    sample: z.unknown(),
    resolvingSample: z.unknown().meta({
      description:
        "A payload that reports the end of the sample's problem. `null` if the source sends none, and for a saved template",
    }),
    mapping: z.unknown(),
    revision: z.number().int().nullable().meta({
      description:
        'Counts the changes of a saved template, for `If-Match`. `null` for a template of the catalogue',
    }),
    savedBy: authorSchema,
    managedBy,
    ownerId: z.uuid().nullable().meta({
      description:
        'The API key that created a saved template. Other keys need the scope `webhooks:write:all` to change it',
    }),
  })
  .meta({ id: 'WebhookTemplate' });
