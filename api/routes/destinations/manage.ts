import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import {
  type Destination,
  type DestinationChange,
  type DestinationSettings,
  deleteDestination as dropDestination,
  findDestination,
  insertDestination,
  updateDestination,
} from '../../../db/outbox/destinations.js';
import { resumeLane } from '../../../db/outbox/told-messages.js';
import { newSecret } from '../../../workers/outbox/signature.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { preconditionFailed, readIfMatch } from '../../http/entity-tag.js';

import { badRequest, notFound } from '../../http/errors.js';
import { faultsIn, throwFaults } from '../../http/faults.js';
import { changeOnce } from '../../idempotency/change-once.js';
import { requireBody, requireFilter } from './drawn.js';
import { headersOf, presentDestination } from './present.js';
import {
  addressFor,
  digestFor,
  digestOf,
  headersFor,
  originOf,
  rateOf,
  requireAddress,
  requireHeadersAgain,
  requirePreset,
  requireSecretAgain,
  requireTypes,
  secretFor,
} from './preset-rules.js';
import { recordedChange } from './recorded.js';
import { destinationChangeSchema, destinationSchema, newDestinationSchema } from './schema.js';
import { sealedAddress, sealedHeaders, targetFaults, webhookFaults } from './settings.js';

export const oneDestination = z.object({ ...success, data: destinationSchema });
const withSecret = z.object({
  ...success,
  data: destinationSchema.extend({
    secret: z.string().nullable().meta({
      description:
        'The secret of the signature, which is never shown again; null for presets that do not sign',
    }),
  }),
});

export const createDestination = defineRoute({
  method: 'post',
  path: '/v2/destinations',
  operationId: 'createDestination',
  tag: 'Destination',
  summary: 'Create a destination, which is told of alerts from then on',
  description:
    'Nothing is sent until an alert changes; `POST /v2/destinations/{id}/test` sends a message at once. Changes in the first second may not be told.',
  scopes: ['destinations:write'],
  idempotent: true,
  query: NO_QUERY,
  params: NO_PARAMS,
  requestBody: { 'application/json': newDestinationSchema },
  responses: {
    201: { description: 'The new destination', body: withSecret, headers: { Location: 'always' } },
    ...failures(400, 415),
  },
  handle: async (input) => {
    const { ctx, principal, once, services } = input;
    const { url, recipients, secret, headers, mode, ratePerMinute, digestAbove, paused, ...given } =
      await readJson(ctx, newDestinationSchema, once);
    const preset = requirePreset(given.preset);
    const faults = faultsIn(
      () => requireFilter(given.filter),
      () => requireBody(preset, given.body),
      () => requireTypes(preset, given.types),
      () => requireAddress(preset, { url, recipients }),
      () => secretFor(preset, secret),
      () => headersFor(preset, {}, headers),
      () => digestFor(preset, digestAbove ?? null),
    );
    throwFaults([
      ...faults,
      ...(await targetFaults(services, url)),
      ...(await webhookFaults(services, given.webhookIds)),
    ]);
    const address = requireAddress(preset, { url, recipients });
    if (url === undefined) throwFaults(await targetFaults(services, address));
    const id = uuidv7();
    const kept = secretFor(preset, secret);
    const { box } = services.intake;
    const settings: DestinationSettings = {
      ...given,
      filter: given.filter || null,
      ...sealedAddress(services, id, address),
      secret: kept === null ? null : box.seal(kept, id),
      previousSecret: null,
      previousSecretExpiresAt: null,
      headers: sealedHeaders(services, id, headersFor(preset, {}, headers)),
      mode: mode ?? preset.mode,
      ratePerMinute: ratePerMinute === undefined ? rateOf(preset) : ratePerMinute,
      digestAbove: digestAbove === undefined ? digestOf(preset) : digestFor(preset, digestAbove),
      pausedAt: paused ? new Date(services.clock.now()) : null,
      managedBy: null,
    };
    await changeOnce(input, async (transaction) => {
      await insertDestination(transaction, { ...settings, id, author: principal });
      const data = {
        ...(await presentDestination(transaction, id, box)),
        secret: preset.isSigned ? kept : null,
      };
      const headers = { Location: `/v2/destinations/${id}`, 'Cache-Control': 'no-store' };
      const audit = await recordedChange(transaction, id, null);
      return { status: 201, headers, body: { status: 'success', data }, audit };
    });
  },
});

export const changeDestination = defineRoute({
  method: 'patch',
  path: '/v2/destinations/{id}',
  operationId: 'updateDestination',
  tag: 'Destination',
  summary: 'Update a destination. Only the given properties change',
  description:
    'Send `If-Match` with the `ETag` of the destination, to change it only if nobody else has since. Messages that wait are sent with the new settings.',
  scopes: ['destinations:write'],
  idempotent: true,
  headers: ['If-Match'],
  query: NO_QUERY,
  params: ID_PARAMS,
  requestBody: { 'application/json': destinationChangeSchema },
  responses: {
    200: { description: 'The updated destination', body: oneDestination, headers: { ETag: 'sometimes' } },
    ...failures(400, 404, 412, 415),
  },
  handle: async (input) => {
    const { ctx, params, principal, once, services } = input;
    const isExpected = readIfMatch(ctx);
    const { url, recipients, secret, headers, paused, ...given } = await readJson(
      ctx,
      destinationChangeSchema,
      once,
    );
    const isMoved = url !== undefined || recipients !== undefined;
    const faults = [
      ...faultsIn(() => requireFilter(given.filter)),
      ...(await targetFaults(services, url)),
      ...(await webhookFaults(services, given.webhookIds)),
    ];
    const { box } = services.intake;
    const changeOf = (current: Destination): DestinationChange => {
      const preset = requirePreset(current.preset);
      const known = headersOf(current, box);
      const isOtherHost =
        url !== undefined &&
        URL.canParse(url) &&
        originOf(url) !== originOf(box.open(current.url, params.id));
      throwFaults([
        ...faults,
        ...faultsIn(
          () => requireBody(preset, given.body),
          () => requireTypes(preset, given.types),
          () => digestFor(preset, given.digestAbove ?? null),
          () => addressFor(preset, { url, recipients }),
          () => secret !== undefined && secretFor(preset, secret),
          () => headers && headersFor(preset, known, headers),
          () => isOtherHost && requireHeadersAgain(known, headers),
          () => isOtherHost && requireSecretAgain(preset, secret),
        ),
      ]);
      const address = addressFor(preset, { url, recipients });
      const kept = secret === undefined ? null : secretFor(preset, secret);
      return {
        ...given,
        ...(given.filter === undefined ? {} : { filter: given.filter || null }),
        ...(address === undefined ? {} : sealedAddress(services, params.id, address)),
        ...(headers === undefined
          ? {}
          : { headers: sealedHeaders(services, params.id, headersFor(preset, known, headers)) }),
        ...(kept === null ? {} : { secret: box.seal(kept, params.id), previousSecret: null }),
        ...(paused === undefined
          ? {}
          : { pausedAt: paused ? (current.pausedAt ?? new Date(services.clock.now())) : null }),
      };
    };
    await changeOnce(input, async (transaction) => {
      const before = await findDestination(transaction, params.id);
      const outcome = await updateDestination(transaction, params.id, changeOf, {
        author: principal,
        isExpected,
      });
      if (outcome === null) throw notFound('destination');
      if (outcome === 'saved' && (paused === false || isMoved)) await resumeLane(transaction, params.id);
      const data = await presentDestination(transaction, params.id, box);
      if (outcome === 'conflict') throw preconditionFailed('destination', data);
      const headers = { ETag: `"${data.revision}"` };
      const audit = await recordedChange(transaction, data.id, before);
      return { status: 200, headers, body: { status: 'success', data }, audit };
    });
  },
});

export const deleteDestination = defineRoute({
  method: 'delete',
  path: '/v2/destinations/{id}',
  operationId: 'deleteDestination',
  tag: 'Destination',
  summary: 'Delete a destination. Messages that wait are not sent',
  scopes: ['destinations:write'],
  idempotent: true,
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: { 204: { description: 'Deleted' }, ...failures(404) },
  handle: async (input) => {
    await changeOnce(input, async (transaction) => {
      const { id } = input.params;
      const before = await findDestination(transaction, id);
      if (!(await dropDestination(transaction, id))) throw notFound('destination');
      return { status: 204, body: null, audit: await recordedChange(transaction, id, before) };
    });
  },
});

const rotation = z.strictObject({
  graceSeconds: z
    .number()
    .int()
    .min(0)
    .max(7 * 24 * 60 * 60)
    .default(24 * 60 * 60)
    .meta({ description: 'For how long messages are signed with the previous secret too' }),
});

export const rotateDestination = defineRoute({
  method: 'post',
  path: '/v2/destinations/{id}/rotate-secret',
  operationId: 'rotateDestinationSecret',
  tag: 'Destination',
  summary: 'Make a new secret for the signature. Messages are signed with both until the grace period ends',
  scopes: ['destinations:write'],
  idempotent: true,
  query: NO_QUERY,
  params: ID_PARAMS,
  requestBody: { 'application/json': rotation },
  responses: {
    200: { description: 'The destination with its new secret', body: withSecret },
    ...failures(400, 404, 415),
  },
  handle: async (input) => {
    const { ctx, params, principal, once, services } = input;
    const { graceSeconds } = await readJson(ctx, rotation, once);
    const secret = newSecret();
    const changeOf = (current: Destination): Partial<DestinationSettings> => {
      if (!requirePreset(current.preset).isSigned)
        throw badRequest('not_signed', 'Messages of this preset are not signed: it has no secret to rotate.');
      return {
        secret: services.intake.box.seal(secret, params.id),
        previousSecret: current.secret,
        previousSecretExpiresAt: new Date(services.clock.now() + graceSeconds * 1_000),
      };
    };
    await changeOnce(input, async (transaction) => {
      const before = await findDestination(transaction, params.id);
      const outcome = await updateDestination(transaction, params.id, changeOf, { author: principal });
      if (outcome === null) throw notFound('destination');
      const { box } = services.intake;
      const data = { ...(await presentDestination(transaction, params.id, box)), secret };
      const audit = await recordedChange(transaction, params.id, before);
      const headers = { 'Cache-Control': 'no-store' };
      return { status: 200, headers, body: { status: 'success', data }, audit };
    });
  },
});
