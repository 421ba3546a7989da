import type { z } from 'zod';
import { NO_SIGNATURE, type WebhookSignature } from '../../../db/webhooks/webhook-signature.js';
import type { Webhook } from '../../../db/webhooks/webhooks.js';
import type { SecretBox } from '../../../workers/process/secret-box.js';
import { BODY, summary } from '../../http/error-details.js';
import { badRequest } from '../../http/errors.js';
import type { SignatureParameters } from '../../intake/signature/parameters.js';
import { findPreset } from '../../intake/signature/presets/index.js';
import { settingProblems } from '../../intake/signature/settings.js';
import { DEFAULT_GRACE_S, type newSignatureSchema, type signatureChangeSchema } from './signature-schema.js';

/** Returns the signature settings of a new integration. */
export function newSignature(
  box: SecretBox,
  webhookId: string,
  given: z.infer<typeof newSignatureSchema> | null,
): WebhookSignature {
  if (given === null) return NO_SIGNATURE;
  return {
    ...NO_SIGNATURE,
    signatureScheme: given.scheme,
    signatureParameters: given.parameters,
    signatureMode: given.mode,
    signatureChangedAt: new Date(),
    signatureSecret: given.secret === undefined ? null : box.seal(given.secret, webhookId),
  };
}

type Change = z.infer<typeof signatureChangeSchema>;

/**
 * Returns the signature settings of an integration after a change; null removes the signature. A new secret of the same scheme keeps
 * the previous one valid for a grace period.
 * @throws RequestError 400 if the resulting settings do not fit together
 */
export function changedSignature(
  box: SecretBox,
  current: WebhookSignature & Pick<Webhook, 'id'>,
  change: Change | null,
  now: number,
): Partial<WebhookSignature> {
  if (change === null) return NO_SIGNATURE;
  const scheme = change.scheme ?? current.signatureScheme;
  if (scheme === null)
    throw invalid([{ path: ['scheme'], message: 'is required: the integration has no signature' }]);
  const isSame = scheme === current.signatureScheme;
  const sealed = isSame ? current.signatureSecret : null;
  const known = sealed && box.open(sealed, current.id);
  const parameters =
    change.parameters ?? (isSame ? (current.signatureParameters as SignatureParameters) : {});
  // A secret that cannot be decrypted is kept, and checked again by nobody.
  const isKept = change.secret === undefined && sealed !== null && known === null;
  const problems = settingProblems({ scheme, parameters, secret: change.secret ?? known ?? null });
  const relevant = problems.filter(({ path }) => !(isKept && path[0] === 'secret'));
  if (relevant.length > 0) throw invalid(relevant);
  const { secret } = change;
  const secrets =
    secret !== undefined && secret !== known
      ? {
          signatureSecret: box.seal(secret, current.id),
          ...expiring(known === null ? null : sealed, change.graceSeconds ?? DEFAULT_GRACE_S, now),
        }
      : {
          signatureSecret: findPreset(scheme)?.secret ? sealed : null,
          ...keptPrevious(current, isSame, change, now),
        };
  return {
    ...secrets,
    signatureScheme: scheme,
    signatureParameters: parameters,
    signatureMode: change.mode ?? current.signatureMode,
    signatureChangedAt: new Date(),
  };
}

type Previous = Pick<WebhookSignature, 'previousSecret' | 'previousSecretExpiresAt'>;

const NO_PREVIOUS: Previous = { previousSecret: null, previousSecretExpiresAt: null };

/** Returns a secret as the previous one. Without a grace period, or if it cannot be decrypted, there is none. */
const expiring = (sealed: Buffer | null, graceSeconds: number, now: number): Previous =>
  sealed === null || graceSeconds === 0
    ? NO_PREVIOUS
    : { previousSecret: sealed, previousSecretExpiresAt: new Date(now + graceSeconds * 1_000) };

/** Returns the previous secret of an unchanged secret. `graceSeconds` can only shorten its time. */
function keptPrevious(
  current: WebhookSignature,
  isSame: boolean,
  { graceSeconds }: Change,
  now: number,
): Previous {
  const { previousSecret, previousSecretExpiresAt: expiresAt } = current;
  if (!isSame || !previousSecret || !expiresAt) return NO_PREVIOUS;
  const isShorter = graceSeconds !== undefined && now + graceSeconds * 1_000 < expiresAt.getTime();
  if (isShorter) return expiring(previousSecret, graceSeconds, now);
  return { previousSecret, previousSecretExpiresAt: expiresAt };
}

function invalid(problems: readonly { path: readonly string[]; message: string }[]) {
  const errors = problems.map(({ path, message }) => ({
    field: ['signature', ...path].join('.'),
    code: 'custom',
    message,
  }));
  return badRequest('invalid_body', summary(BODY, errors), errors);
}
