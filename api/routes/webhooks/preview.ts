import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { z } from 'zod';
import type { Database } from '../../../db/client/connect.js';
import {
  type FieldTree,
  formatPath,
  lookupNodes,
  mappingWarnings,
  previewSeries,
  statistics,
} from '../../../workers/mapping/index.js';
import { type Principal, requireScope } from '../../access/auth.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { signedParts } from '../../intake/signature/signed-parts.js';
import { compiledRevision } from '../../preview/compiled-revision.js';
import { foundRows } from '../../preview/found-rows.js';
import { oneAtATime } from '../../preview/one-at-a-time.js';
import { type PreviewSubject, previewPayloads } from '../../preview/payloads.js';
import { makePreview, type Preview } from '../../preview/preview.js';
import { shownByName } from '../alerts/lookups.js';
import { shownChange, shownOwner, shownResults } from '../alerts/owners.js';
import { requestSchema } from '../events/request-schema.js';
import { lookupWarnings } from './lookup-warnings.js';
import { checkMapping, mappingDoc } from './mapping-body.js';
import { requireWebhook } from './mapping-revisions.js';
import { PAYLOAD_BODY_MAX_BYTES, parsePayloadExactly } from './payload-body.js';
import { mappingPreviewSchema } from './preview-schema.js';

const subject = {
  payload: z.unknown().optional().meta({ description: 'A payload as a sender would send it' }),
  request: requestSchema
    .optional()
    .meta({ description: 'The request of `payload`. Stored events bring their own' }),
  eventIds: z.array(z.uuid().toLowerCase()).min(1).max(100).optional(),
  last: z
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Use this number of the newest events' }),
};
const bodySchema = z
  .strictObject({ mapping: z.unknown().optional(), ...subject })
  .refine(
    ({ payload, eventIds, last }) =>
      [payload, eventIds, last].filter((one) => one !== undefined).length === 1,
    'must have exactly one of payload, eventIds and last',
  )
  .refine(
    ({ payload, request }) => request === undefined || payload !== undefined,
    'must have request only with payload',
  );

export const previewMapping = defineRoute({
  method: 'post',
  path: '/v2/webhooks/{id}/preview',
  operationId: 'previewMapping',
  changesNothing: true,
  tag: 'Webhook',
  summary: 'Preview a mapping with a payload or stored events. Stores nothing',
  description:
    'Without `mapping`, uses the current revision. With one, also compares the result with that of the current revision. ' +
    'Stored events (`eventIds`, `last`) also need the scope `alerts:read`, a `mapping` that looks up tables `tables:read`. ' +
    'A preview stops after 2 s or a thousand alerts; `truncated` is then true.',
  scopes: ['webhooks:write'],
  query: NO_QUERY,
  params: ID_PARAMS,
  requestBody: { 'application/json': z.strictObject({ mapping: mappingDoc.optional(), ...subject }) },
  responses: {
    200: {
      description: 'The alerts, and how each field was filled',
      body: z.object({ ...success, data: mappingPreviewSchema }),
    },
    ...failures(400, 404, 413, 415, 422, 503),
  },
  handle: async (input) => {
    const {
      ctx,
      params: { id },
      principal,
      services,
    } = input;
    const webhook = await requireWebhook(services, id);
    // Parsing a payload can take longer than mapping it, so no other task runs meanwhile either.
    const parse = (sent: Buffer) => oneAtATime(input, async () => parsePayloadExactly(sent));
    const reading = { limit: PAYLOAD_BODY_MAX_BYTES, parse };
    const body = await readJson(ctx, bodySchema, null, reading);
    // A preview of stored events shows what they contain.
    if (body.payload === undefined) requireScope(principal, ['alerts:read']);
    const { given, mapping, count, summary, ...preview } = await oneAtATime(input, async (pause) => {
      const given = body.mapping === undefined ? undefined : await checkMapping(body.mapping, pause);
      if (given?.lookups.some(({ place }) => 'table' in place)) requireScope(principal, ['tables:read']);
      const current = await compiledRevision(services.database, id, webhook.mappingRevision);
      const { count, payloads } = await previewPayloads(services, id, body as PreviewSubject);
      const mapping = given ?? current;
      const before = given ? current : undefined;
      const { observations, ...made } = await makePreview(
        payloads,
        {
          mapping,
          before,
          rows: await foundRows(services.database, [mapping, before]),
          shownOwner: (email) => shownOwner(principal, email) ?? email,
        },
        pause,
      );
      if (made.fields) made.fields = markUnsigned(made.fields, signedParts(webhook));
      const fieldStatistics = mapping ? statistics(mapping, observations) : null;
      await pause();
      const series = mapping ? previewSeries(mapping, observations) : null;
      return { ...made, given, mapping, count, summary: { statistics: fieldStatistics, series } };
    });
    await yieldToOthers();
    const alerts = await shownAlerts(services.database, principal, preview.alerts);
    ctx.body = {
      status: 'success',
      data: {
        revision: given ? null : webhook.mappingRevision,
        ...preview,
        alerts,
        fields: preview.fields && withLookups(preview.fields, alerts[0]),
        warnings: mapping
          ? [...mappingWarnings(mapping), ...(await lookupWarnings(services.database, mapping))]
          : [],
        comparison: given ? preview.comparison.map((event) => shownComparison(principal, event)) : null,
        ...summary,
        truncated: preview.events.length < count || preview.alerts.length < preview.alertCount,
      },
    };
  },
});

/** Returns alerts as a principal sees them, the first of them with what was looked up. */
async function shownAlerts(database: Database, principal: Principal, alerts: Preview['alerts']) {
  const shown = [];
  for (const [index, { lookups, fields, ...alert }] of alerts.entries()) {
    const lookedUp =
      lookups && index < MAX_LOOKED_UP ? { lookups: await shownByName(database, principal, lookups) } : {};
    shown.push({ ...alert, fields: shownResults(principal, fields), ...lookedUp });
  }
  return shown;
}

/** Adds what was looked up for the first alert to the fields that templates can use. */
const withLookups = (
  { nodes, truncated }: FieldTree,
  first: Awaited<ReturnType<typeof shownAlerts>>[number] | undefined,
): FieldTree => ({ nodes: first?.lookups ? [...lookupNodes(first.lookups), ...nodes] : nodes, truncated });

/** Alerts that are shown with what was looked up for them. */
const MAX_LOOKED_UP = 10;

const shownComparison = (
  principal: Principal,
  { eventId, alerts }: Preview['comparison'][number],
): Preview['comparison'][number] => ({
  eventId,
  alerts: alerts.map((alert) => ({
    ...alert,
    changes: alert.changes.map((change) => shownChange(principal, change)),
  })),
});

/** The parts of a request that an integration's signature covers. */
interface SignedParts {
  body: boolean;
  headers: readonly string[];
}

/**
 * Marks the fields of the request that the integration's signature does not cover: somebody who replays a signed event can
 * change them. Without a signature over the body nothing is marked, because then nothing is covered.
 */
function markUnsigned({ nodes, truncated }: FieldTree, signed: SignedParts | null): FieldTree {
  if (!signed?.body) return { nodes, truncated };
  const covered = new Set(signed.headers.map((name) => formatPath('request', ['headers', name])));
  const isUnsigned = (path: string) => /^request\b/.test(path) && !covered.has(path);
  return {
    nodes: nodes.map((node) => (isUnsigned(node.path) ? { ...node, unsigned: true } : node)),
    truncated,
  };
}
