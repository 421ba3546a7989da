import { z } from 'zod';
import { SIGNATURE_MODES } from '../../../db/webhooks/webhook-signature.js';
import { parametersSchema } from '../../intake/signature/parameters.js';
import { presets } from '../../intake/signature/presets/index.js';
import { MAX_SECRET_LENGTH, MIN_SECRET_LENGTH, settingProblems } from '../../intake/signature/settings.js';
import { REJECTIONS } from '../../intake/signature/verdict.js';

const MAX_GRACE_S = 30 * 24 * 60 * 60;
/** How long the previous secret stays valid unless a request says otherwise. */
export const DEFAULT_GRACE_S = 24 * 60 * 60;

const [first = '', ...others] = presets.map(({ name }) => name);
const scheme = z.enum([first, ...others]).meta({ description: 'A `name` from `GET /v2/signature-presets`' });

const secret = z
  .string()
  .min(MIN_SECRET_LENGTH)
  .max(MAX_SECRET_LENGTH)
  .meta({
    description:
      'The secret, token, password or public key as the sender shows it. For Standard Webhooks, base64 with or without `whsec_`; ' +
      'any other text is used as is',
  });
const mode = z.enum(SIGNATURE_MODES).meta({
  description: '`observe` accepts events without a valid signature and counts them, see `observed`',
});

/** A signature as a file has it: its secret may be kept elsewhere. */
export const signatureSettings = z.strictObject({
  scheme,
  secret: secret.optional(),
  parameters: parametersSchema.default({}),
  mode: mode.default('enforce'),
});

/** The signature of a new integration. */
export const newSignatureSchema = signatureSettings.superRefine(
  ({ secret: given = null, ...settings }, context) => {
    for (const { path, message } of settingProblems({ ...settings, secret: given }))
      context.addIssue({ code: 'custom', path: [...path], message });
  },
);

/** A change of a signature. With another `scheme`, it must have everything that the scheme requires. */
export const signatureChangeSchema = z
  .strictObject({
    scheme: scheme.optional(),
    secret: secret.optional(),
    parameters: parametersSchema.optional(),
    mode: mode.optional(),
    graceSeconds: z
      .number()
      .int()
      .min(0)
      .max(MAX_GRACE_S)
      .optional()
      .meta({
        description: `How long the previous secret stays valid after a new \`secret\`. Default ${DEFAULT_GRACE_S}`,
      }),
  })
  .refine((change) => Object.keys(change).length > 0, 'must have at least one property to change');

/** Returns a property for each name. A record over an enum would list properties as required without declaring them. */
const countsOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, z.number().int()])) as Record<Name, z.ZodInt>;

const observedSchema = z.object({
  verified: z.number().int(),
  verifiedByPrevious: z.number().int().meta({
    description: 'Of the verified events, those that were signed with the previous secret',
  }),
  rejected: z.number().int().meta({ description: 'With `mode: observe`, these events were accepted' }),
  lastRejectedAt: z.iso.datetime().nullable(),
  reasons: z.object(countsOf(REJECTIONS)).meta({ description: 'The rejected events by reason' }),
});

/** The signature in a response. */
export const signatureSchema = z.object({
  scheme: z.string(),
  secret: z.string().nullable().meta({ description: 'Null without the scope `webhooks:write`' }),
  parameters: parametersSchema,
  mode,
  changedAt: z.iso.datetime().meta({ description: 'When these settings last changed' }),
  previousSecretExpiresAt: z.iso.datetime().nullable().meta({
    description: 'Until then, signatures with the previous secret are valid too',
  }),
  observed: observedSchema.nullable().meta({
    description:
      'Events since `changedAt`. Only in the response of `GET /v2/webhooks/{id}`; null if Redis is unavailable',
  }),
});
