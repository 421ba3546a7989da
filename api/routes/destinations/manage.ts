import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import {
  type Destination,
  type DestinationChange,
  type DestinationSettings,
  deleteDestination as dropDestination,
  insertDestination,
  updateDestination,
} from '../../../db/outbox/destinations.js';
import { resumeLane } from '../../../db/outbox/told-messages.js';
import { integrationsOf } from '../../../db/series/told-alerts.js';
import { domainOf, mailtoOf, recipientsIn } from '../../../workers/outbound/mail-address.js';
import { INTERNET } from '../../../workers/outbound/network.js';
import { checkTarget } from '../../../workers/outbound/target.js';
import { type CustomHeaders, headersError, withHeaders } from '../../../workers/outbox/custom-headers.js';
import { presetOf } from '../../../workers/outbox/presets/index.js';
import type { Preset } from '../../../workers/outbox/presets/preset.js';
import { newSecret, parseSecret, SECRET_RULE } from '../../../workers/outbox/signature.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { preconditionFailed, readIfMatch } from '../../http/entity-tag.js';
import { BODY, summary } from '../../http/error-details.js';
import { badRequest, notFound, type RequestError } from '../../http/errors.js';
import { faultsIn, throwFaults } from '../../http/faults.js';
import { changeOnce } from '../../idempotency/change-once.js';
import type { ApiServices } from '../../services.js';
import { requireBody, requireFilter } from './drawn.js';
import { headersOf, presentDestination } from './present.js';
import { destinationChangeSchema, destinationSchema, newDestinationSchema } from './schema.js';

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
    const { ctx, apiKey, once, services } = input;
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
    };
    await changeOnce(input, async (transaction) => {
      await insertDestination(transaction, { ...settings, id, author: apiKey });
      const data = {
        ...(await presentDestination(transaction, id, box)),
        secret: preset.isSigned ? kept : null,
      };
      const headers = { Location: `/v2/destinations/${id}`, 'Cache-Control': 'no-store' };
      return { status: 201, headers, body: { status: 'success', data } };
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
    const { ctx, params, apiKey, once, services } = input;
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
      const outcome = await updateDestination(transaction, params.id, changeOf, {
        author: apiKey,
        isExpected,
      });
      if (outcome === null) throw notFound('destination');
      if (outcome === 'saved' && (paused === false || isMoved)) await resumeLane(transaction, params.id);
      const data = await presentDestination(transaction, params.id, box);
      if (outcome === 'conflict') throw preconditionFailed('destination', data);
      const headers = { ETag: `"${data.revision}"` };
      return { status: 200, headers, body: { status: 'success', data } };
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
      if (!(await dropDestination(transaction, input.params.id))) throw notFound('destination');
      return { status: 204, body: null };
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
    const { ctx, params, apiKey, once, services } = input;
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
      const outcome = await updateDestination(transaction, params.id, changeOf, { author: apiKey });
      if (outcome === null) throw notFound('destination');
      const { box } = services.intake;
      const data = { ...(await presentDestination(transaction, params.id, box)), secret };
      return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: { status: 'success', data } };
    });
  },
});

export function requirePreset(name: string): Preset {
  const preset = presetOf(name);
  if (!preset) throw badRequest('unknown_preset', `Unknown preset ${JSON.stringify(name)}.`);
  return preset;
}

/** @throws RequestError 400 if a destination would be told of nothing: neither of alerts nor, as its messages are not signed, of jobs */
function requireTypes({ isSigned }: Preset, types: readonly string[] | undefined): void {
  if (types === undefined || types.includes('alert.fired')) return;
  if (types.length === 0 && isSigned) return;
  const message =
    types.length === 0
      ? 'must not be empty: this preset is told of alerts only'
      : 'must have alert.fired: who is not told that an alert fires hears neither of its changes nor of its end';
  throw badRequest('invalid_types', `\`types\` ${message}.`, [
    { field: 'types', code: 'invalid_types', message },
  ]);
}

/**
 * Returns where a destination sends its messages: the URL, or one of the recipients of mails. Undefined: neither is given.
 * @throws RequestError 400 for what the preset does not take
 */
function addressFor(
  { isMail }: Preset,
  { url, recipients }: { url: string | undefined; recipients: readonly string[] | undefined },
): string | undefined {
  const field = isMail ? 'url' : 'recipients';
  if ((isMail ? url : recipients) !== undefined) throw invalidAddress(field, 'is not taken by this preset');
  return recipients ? mailtoOf(recipients) : url;
}

function requireAddress(preset: Preset, given: Parameters<typeof addressFor>[1]): string {
  const address = addressFor(preset, given);
  if (address === undefined)
    throw invalidAddress(preset.isMail ? 'recipients' : 'url', 'is required by this preset');
  return address;
}

const invalidAddress = (field: 'url' | 'recipients', message: string) =>
  badRequest(`invalid_${field}`, `\`${field}\` ${message}.`, [{ field, code: `invalid_${field}`, message }]);

/** Returns why Muster would not send to an address: a URL, or recipients, if it sends no mails. */
async function targetFaults({ settings }: ApiServices, address: string | undefined): Promise<RequestError[]> {
  if (address === undefined) return [];
  if (recipientsIn(address)) {
    if (settings.smtp) return [];
    const message = 'Muster has no mail server: the operator must set `SMTP_URL` and `SMTP_FROM`.';
    return [
      badRequest('no_mail_server', message, [{ field: 'recipients', code: 'no_mail_server', message }]),
    ];
  }
  const reason = await checkTarget(address, settings.outboundAllow, INTERNET, settings.outboundProxy);
  if (reason === null) return [];
  return [badRequest('invalid_url', reason, [{ field: 'url', code: 'invalid_url', message: reason }])];
}

/** Returns which integrations there have never been: alerts of deleted ones still end. */
async function webhookFaults(
  { database }: ApiServices,
  ids: readonly string[] | null | undefined,
): Promise<RequestError[]> {
  if (!ids) return [];
  const known = await integrationsOf(database, ids);
  const errors = ids.flatMap((id, index) =>
    known.has(id)
      ? []
      : { field: `webhookIds.${index}`, code: 'unknown_webhook', message: 'no integration has this id' },
  );
  if (errors.length === 0) return [];
  return [badRequest('invalid_body', summary(BODY, errors), errors)];
}

const sealedAddress = ({ intake }: ApiServices, id: string, address: string) => ({
  url: intake.box.seal(address, id),
  host: hostOf(address),
});

const MAX_HOST = 300;

/** Returns what is shown of an address: the host of a URL, or the domains of recipients. */
function hostOf(address: string): string {
  const recipients = recipientsIn(address);
  return recipients
    ? [...new Set(recipients.map(domainOf))].join(', ').slice(0, MAX_HOST)
    : new URL(address).host;
}

/** Returns the secret to keep; null for a preset that needs none. */
function secretFor({ isSigned, needsSecret }: Preset, given: string | undefined): string | null {
  if (!isSigned) {
    if (needsSecret && given === undefined) throw invalidSecret('is required by this preset');
    if (!needsSecret && given !== undefined) throw invalidSecret('is not taken by this preset');
    return given ?? null;
  }
  if (given === undefined) return newSecret();
  const secret = parseSecret(given);
  if (secret === null) throw invalidSecret(SECRET_RULE);
  return secret;
}

/** A secret that is part of the body is as good as a header: who may change the URL must not have it sent to a host of their own. */
function requireSecretAgain({ needsSecret }: Preset, given: string | undefined): void {
  if (needsSecret && given === undefined)
    throw invalidSecret('must be given again: the URL has another host');
}

const invalidSecret = (message: string) =>
  badRequest('invalid_secret', `\`secret\` ${message}.`, [
    { field: 'secret', code: 'invalid_secret', message },
  ]);

/** Returns the headers of a destination after a change. */
function headersFor(
  { takesHeaders }: Preset,
  current: CustomHeaders,
  change: Readonly<Record<string, string | null>>,
): CustomHeaders {
  const headers = withHeaders(current, change);
  const isAny = Object.keys(headers).length > 0;
  const message = isAny && !takesHeaders ? 'are not sent by this preset' : headersError(headers);
  if (message) throw invalidHeaders(`\`headers\` ${message}.`);
  return headers;
}

/** Headers may be secrets of the receiver. Who may change the URL must not have them sent to a host of their own. */
function requireHeadersAgain(
  known: CustomHeaders,
  change: Readonly<Record<string, string | null>> = {},
): void {
  const given = Object.keys(change).map((name) => name.toLowerCase());
  const names = Object.keys(known).filter((name) => !given.includes(name));
  if (names.length > 0)
    throw invalidHeaders(
      `The URL has another host. Enter these headers again, or remove them: ${names.join(', ')}.`,
    );
}

const invalidHeaders = (message: string) =>
  badRequest('invalid_headers', message, [{ field: 'headers', code: 'invalid_headers', message }]);

const originOf = (url: string | null): string | null => (url === null ? null : new URL(url).origin);

const sealedHeaders = ({ intake }: ApiServices, id: string, headers: CustomHeaders): Buffer | null =>
  Object.keys(headers).length === 0 ? null : intake.box.seal(JSON.stringify(headers), id);

export const rateOf = ({ ratePerSecond }: Preset): number | null =>
  ratePerSecond === null ? null : Math.max(1, Math.round(ratePerSecond * 60));

const DIGEST_ABOVE = 20;
const digestOf = ({ renderDigest }: Preset): number | null => (renderDigest ? DIGEST_ABOVE : null);

/** @throws RequestError 400 if the preset cannot send several messages as one */
function digestFor({ renderDigest }: Preset, digestAbove: number | null): number | null {
  if (renderDigest || digestAbove === null) return digestAbove;
  const message = 'must be null for this preset, which has no digest';
  throw badRequest('invalid_digest', `\`digestAbove\` ${message}.`, [
    { field: 'digestAbove', code: 'invalid_digest', message },
  ]);
}
