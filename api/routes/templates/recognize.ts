import { z } from 'zod';
import type { Candidate, EventRequest, JsonValue } from '../../../workers/mapping/index.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { oneAtATime } from '../../preview/one-at-a-time.js';
import { ResponseBudget } from '../../preview/response-budget.js';
import type { KnownTemplate } from '../../templates/known-templates.js';
import { recognizedOf, recognizePayload } from '../../templates/recognize-payload.js';
import { maskedSchema } from '../events/request-schema.js';
import { PAYLOAD_BODY_MAX_BYTES, parsePayloadExactly } from '../webhooks/payload-body.js';
import { previewedAlert } from '../webhooks/preview-schema.js';

const count = z.number().int();
const texts = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

const bodySchema = z.strictObject({
  payload: z.unknown().refine((value) => value !== undefined, 'must be a payload'),
  request: z
    .strictObject({
      method: z.string().default('POST'),
      contentType: z.string().nullable().default(null),
      query: texts.default({}),
      headers: texts.default({}),
      masked: maskedSchema.optional(),
      truncated: z.literal(true).optional(),
    })
    .nullish()
    .meta({ description: 'The request that carried the payload, as an event has it' }),
});

const candidateSchema = z.object({
  name: z.string(),
  title: z.string(),
  origin: z.enum(['catalogue', 'saved']),
  score: z.number().meta({ description: '0 to 1: similarity of the keys, matched paths and fill rate' }),
  matchedPaths: count.meta({ description: 'Required paths that find a value in the payload or its request' }),
  requiredPaths: count.meta({
    description:
      'Paths of the templates and expressions that find a value in the sample, and with a `request` those that read it',
  }),
  fillRate: z
    .number()
    .meta({ description: 'Share of the fields with paths that would get their value from the payload' }),
});

export const recognitionSchema = z
  .object({
    recognized: z
      .string()
      .nullable()
      .meta({ description: 'Name of the best template, or `null` if none fits well enough' }),
    candidates: z
      .array(candidateSchema)
      .meta({ description: 'Up to five similar templates, the best first' }),
    alerts: z
      .array(previewedAlert.omit({ repeatWindowSeconds: true }))
      .meta({ description: 'What the best template makes of the payload: the first 250 alerts' }),
  })
  .meta({ id: 'TemplateRecognition' });

export const recognizeTemplate = defineRoute({
  method: 'post',
  path: '/v2/webhook-templates/recognize',
  operationId: 'recognizeWebhookTemplate',
  changesNothing: true,
  tag: 'Template',
  summary: 'Find the templates that fit a payload. Stores nothing',
  description:
    'Compares the payload with the samples of all templates, and tries those that are most similar.',
  scopes: ['webhooks:write'],
  query: NO_QUERY,
  params: NO_PARAMS,
  requestBody: { 'application/json': bodySchema },
  responses: {
    200: {
      description: 'The templates that fit, and the alerts of the best',
      body: z.object({ ...success, data: recognitionSchema }),
    },
    ...failures(400, 413, 415, 503),
  },
  handle: async (input) => {
    const { ctx, services } = input;
    // Parsing a payload can take longer than mapping it, so no other task runs meanwhile either.
    const parse = (sent: Buffer) => oneAtATime(input, async () => parsePayloadExactly(sent));
    const reading = { limit: PAYLOAD_BODY_MAX_BYTES, parse };
    const body = await readJson(ctx, bodySchema, null, reading);
    const payload = body.payload as JsonValue;
    const request = (body.request ?? undefined) as EventRequest | undefined;
    const candidates = await oneAtATime(input, (pause) =>
      recognizePayload(services.database, { payload, request }, pause),
    );
    const [best] = candidates;
    ctx.body = {
      status: 'success',
      data: {
        recognized: recognizedOf(candidates)?.template.name ?? null,
        candidates: candidates.map(presentCandidate),
        alerts: new ResponseBudget().fill(
          (best?.normalized.alerts ?? []).map(({ lookups: _, ...alert }) => ({ eventId: null, ...alert })),
        ),
      },
    };
  },
});

function presentCandidate({ template, ...candidate }: Candidate<KnownTemplate>) {
  const { name, title, origin } = template;
  const { matchedPaths, requiredPaths } = candidate;
  const [score, fillRate] = [candidate.score, candidate.fillRate].map(
    (share) => Math.round(share * 1_000) / 1_000,
  );
  return { name, title, origin, score, matchedPaths, requiredPaths, fillRate };
}
