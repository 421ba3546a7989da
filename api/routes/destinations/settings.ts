import { integrationsOf } from '../../../db/series/told-alerts.js';
import { domainOf, mailtoOf, recipientsIn } from '../../../workers/outbound/mail-address.js';
import { INTERNET } from '../../../workers/outbound/network.js';
import { checkTarget } from '../../../workers/outbound/target.js';
import { type CustomHeaders, headersError, withHeaders } from '../../../workers/outbox/custom-headers.js';
import { presetOf } from '../../../workers/outbox/presets/index.js';
import type { Preset } from '../../../workers/outbox/presets/preset.js';
import { newSecret, parseSecret, SECRET_RULE } from '../../../workers/outbox/signature.js';
import { BODY, summary } from '../../http/error-details.js';
import { badRequest, type RequestError } from '../../http/errors.js';
import type { ApiServices } from '../../services.js';

export function requirePreset(name: string): Preset {
  const preset = presetOf(name);
  if (!preset) throw badRequest('unknown_preset', `Unknown preset ${JSON.stringify(name)}.`);
  return preset;
}

/** @throws RequestError 400 if a destination would be told of nothing: neither of alerts nor, as its messages are not signed, of jobs */
export function requireTypes({ isSigned }: Preset, types: readonly string[] | undefined): void {
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
export function addressFor(
  { isMail }: Preset,
  { url, recipients }: { url: string | undefined; recipients: readonly string[] | undefined },
): string | undefined {
  const field = isMail ? 'url' : 'recipients';
  if ((isMail ? url : recipients) !== undefined) throw invalidAddress(field, 'is not taken by this preset');
  return recipients ? mailtoOf(recipients) : url;
}

export function requireAddress(preset: Preset, given: Parameters<typeof addressFor>[1]): string {
  const address = addressFor(preset, given);
  if (address === undefined)
    throw invalidAddress(preset.isMail ? 'recipients' : 'url', 'is required by this preset');
  return address;
}

const invalidAddress = (field: 'url' | 'recipients', message: string) =>
  badRequest(`invalid_${field}`, `\`${field}\` ${message}.`, [{ field, code: `invalid_${field}`, message }]);

/** Returns why Muster would not send to an address: a URL, or recipients, if it sends no mails. */
export async function targetFaults(
  { settings }: ApiServices,
  address: string | undefined,
): Promise<RequestError[]> {
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
export async function webhookFaults(
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

export const sealedAddress = ({ intake }: ApiServices, id: string, address: string) => ({
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
export function secretFor({ isSigned, needsSecret }: Preset, given: string | undefined): string | null {
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
export function requireSecretAgain({ needsSecret }: Preset, given: string | undefined): void {
  if (needsSecret && given === undefined)
    throw invalidSecret('must be given again: the URL has another host');
}

const invalidSecret = (message: string) =>
  badRequest('invalid_secret', `\`secret\` ${message}.`, [
    { field: 'secret', code: 'invalid_secret', message },
  ]);

/** Returns the headers of a destination after a change. */
export function headersFor(
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
export function requireHeadersAgain(
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

export const originOf = (url: string | null): string | null => (url === null ? null : new URL(url).origin);

export const sealedHeaders = ({ intake }: ApiServices, id: string, headers: CustomHeaders): Buffer | null =>
  Object.keys(headers).length === 0 ? null : intake.box.seal(JSON.stringify(headers), id);

export const rateOf = ({ ratePerSecond }: Preset): number | null =>
  ratePerSecond === null ? null : Math.max(1, Math.round(ratePerSecond * 60));

const DIGEST_ABOVE = 20;
export const digestOf = ({ renderDigest }: Preset): number | null => (renderDigest ? DIGEST_ABOVE : null);

/** @throws RequestError 400 if the preset cannot send several messages as one */
export function digestFor({ renderDigest }: Preset, digestAbove: number | null): number | null {
  if (renderDigest || digestAbove === null) return digestAbove;
  const message = 'must be null for this preset, which has no digest';
  throw badRequest('invalid_digest', `\`digestAbove\` ${message}.`, [
    { field: 'digestAbove', code: 'invalid_digest', message },
  ]);
}
