import { mailtoOf } from '../../../workers/outbound/mail-address.js';
import { type CustomHeaders, headersError, withHeaders } from '../../../workers/outbox/custom-headers.js';
import { presetOf } from '../../../workers/outbox/presets/index.js';
import type { Preset } from '../../../workers/outbox/presets/preset.js';
import { newSecret, parseSecret, SECRET_RULE } from '../../../workers/outbox/signature.js';
import { badRequest } from '../../http/errors.js';

/* What the preset of a destination takes, needs and has by default. */

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
  { url, recipients }: { url?: string | undefined; recipients?: readonly string[] | undefined },
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

/** Returns the secret to keep; null for a preset that needs none. */
export function secretFor(preset: Preset, given: string | undefined): string | null {
  requireSecretTaken(preset, given);
  if (!preset.isSigned) {
    if (preset.needsSecret && given === undefined) throw invalidSecret('is required by this preset');
    return given ?? null;
  }
  if (given === undefined) return newSecret();
  const secret = parseSecret(given);
  if (secret === null) throw invalidSecret(SECRET_RULE);
  return secret;
}

export function requireSecretTaken({ isSigned, needsSecret }: Preset, given: string | undefined): void {
  if (!isSigned && !needsSecret && given !== undefined) throw invalidSecret('is not taken by this preset');
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
