import { z } from 'zod';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { type ParameterName, parametersSchema } from '../../intake/signature/parameters.js';
import { presets, type SignaturePreset } from '../../intake/signature/presets/index.js';
import { coveredParts } from '../../intake/signature/signed-parts.js';

const parameterSchema = z.object({
  name: z.enum(Object.keys(parametersSchema.shape) as [ParameterName, ...ParameterName[]]),
  description: z.string(),
  required: z.boolean(),
  values: z
    .array(z.string())
    .nullable()
    .meta({ description: 'The possible values; null for any text or number' }),
});

export const presetSchema = z
  .object({
    name: z.string().meta({ description: 'The value of `signature.scheme`' }),
    title: z.string(),
    documentation: z.string().nullable(),
    family: z.enum([
      'standard-webhooks',
      'standard-webhooks-ed25519',
      'hmac',
      'ed25519',
      'token',
      'basic',
      'sns',
    ]),
    secret: z.object({ title: z.string(), location: z.string() }).nullable().meta({
      description: 'What the source calls the secret, and where it shows it. Null if there is none',
    }),
    parameters: z.array(parameterSchema),
    defaults: parametersSchema.meta({
      description: 'The values of parameters that an integration does not set',
    }),
    covers: z
      .object({ body: z.boolean(), headers: z.array(z.string()) })
      .meta({ description: 'The parts of a request that the signature protects against changes' }),
  })
  .meta({ id: 'SignaturePreset' });

export const listPresets = defineRoute({
  method: 'get',
  path: '/v2/signature-presets',
  operationId: 'listSignaturePresets',
  etag: true,
  tag: 'Webhook',
  summary: 'List the signature presets: how known sources prove that an event comes from them',
  scopes: ['webhooks:read', 'webhooks:write'],
  query: NO_QUERY,
  params: NO_PARAMS,
  responses: {
    200: { description: 'The presets', body: z.object({ ...success, data: z.array(presetSchema) }) },
    ...failures(),
  },
  handle: async ({ ctx }) => {
    // The same for everyone: a browser may cache it and revalidate.
    ctx.set('Cache-Control', 'private, no-cache');
    ctx.body = { status: 'success', data: presets.map(presentPreset) };
  },
});

/** Returns a preset in the form of a response. */
export function presentPreset(preset: SignaturePreset): z.input<typeof presetSchema> {
  const { name, title, documentation, scheme, secret, parameters, required } = preset;
  return {
    name,
    title,
    documentation,
    family: scheme.family,
    secret,
    parameters: parameters.map((parameter) => ({
      name: parameter,
      description: parametersSchema.shape[parameter].meta()?.description ?? '',
      required: required.includes(parameter),
      values: valuesOf(parameter),
    })),
    defaults: defaultsOf(preset),
    covers: mutable(coveredParts(preset, {})),
  };
}

const mutable = ({ body, headers }: ReturnType<typeof coveredParts>) => ({ body, headers: [...headers] });

function defaultsOf({ scheme }: SignaturePreset): z.input<typeof parametersSchema> {
  if (scheme.family !== 'hmac' && scheme.family !== 'token') return {};
  const values = Object.entries(scheme.family === 'hmac' ? scheme.hmac : scheme.token);
  return Object.fromEntries(
    values.filter(([name, value]) => name in parametersSchema.shape && value !== null && value !== ''),
  );
}

/** Returns the values of a parameter that is one of a few. */
function valuesOf(parameter: ParameterName): string[] | null {
  let schema: unknown = parametersSchema.shape[parameter];
  while (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) schema = schema.unwrap();
  return schema instanceof z.ZodEnum ? schema.options.map(String) : null;
}
