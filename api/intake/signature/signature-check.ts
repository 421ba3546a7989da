import type { IncomingHttpHeaders } from 'node:http';
import type { Webhook } from '../../../db/webhooks/webhooks.js';
import type { SecretBox } from '../../../workers/process/secret-box.js';
import type { SnsCertificates } from '../../sns/sns-certificates.js';
import { type DeliveryId, deliveryIdIn, deliveryIdOfBody } from '../event-id.js';
import { signedMessageId } from './families/sns.js';
import { signedDeliveryId } from './families/standard-webhooks.js';
import { findPreset, type SignaturePreset } from './presets/index.js';
import type { SignedRequest, Verdict, Verify } from './verdict.js';
import { verifierOf } from './verifier.js';

/** The outcome for a request. `byPrevious`: it was signed with the secret before the last rotation. */
export interface SignatureOutcome {
  verdict: Verdict;
  byPrevious: boolean;
}

/** The signature that an integration requires, ready to verify requests. */
export class SignatureCheck {
  /** Null if this version does not know the scheme. */
  readonly preset: SignaturePreset | null;
  /** True if requests without a valid signature are accepted and counted. */
  readonly observes: boolean;
  /** Identifies the settings that the counts of requests belong to. */
  readonly since: Date;
  readonly #current: Verify | null;
  readonly #previous: Verify | null;
  readonly #previousExpiresAt: number;

  constructor(webhook: Webhook, box: SecretBox, certificates: SnsCertificates) {
    const { id, signatureParameters: parameters, signatureSecret, previousSecret } = webhook;
    this.preset = findPreset(webhook.signatureScheme ?? '') ?? null;
    this.observes = webhook.signatureMode === 'observe';
    this.since = webhook.signatureChangedAt ?? webhook.createdAt;
    this.#previousExpiresAt = webhook.previousSecretExpiresAt?.getTime() ?? 0;
    const { preset } = this;
    const verifier = (sealed: Buffer | null): Verify | null => {
      const secret = preset?.secret === null ? '' : sealed && box.open(sealed, id);
      return preset && secret !== null ? verifierOf(preset.scheme, parameters, secret, certificates) : null;
    };
    this.#current = verifier(signatureSecret);
    this.#previous = previousSecret ? verifier(previousSecret) : null;
  }

  /** Verifies a request with the current secret and, until it expires, the previous one. Never throws. */
  check(request: SignedRequest): SignatureOutcome | Promise<SignatureOutcome> {
    const verdict = this.#current?.(request) ?? 'unverifiable';
    if (typeof verdict !== 'string') return verdict.then((resolved) => this.#orPrevious(resolved, request));
    return this.#orPrevious(verdict, request);
  }

  #orPrevious(verdict: Verdict, request: SignedRequest): SignatureOutcome | Promise<SignatureOutcome> {
    const dependsOnSecret = verdict === 'wrong_signature' || verdict === 'unverifiable';
    if (!dependsOnSecret || !this.#previous || this.#previousExpiresAt <= (request.now ?? Date.now()))
      return { verdict, byPrevious: false };
    const outcome = (other: Verdict): SignatureOutcome =>
      other === 'verified' ? { verdict: other, byPrevious: true } : { verdict, byPrevious: false };
    const other = this.#previous(request);
    return typeof other === 'string' ? outcome(other) : other.then(outcome);
  }

  /** Returns the delivery id of a verified request: the signed one, wherever a signed part of the request has one. */
  deliveryId(headers: IncomingHttpHeaders, body: Buffer): DeliveryId | null {
    switch (this.preset?.scheme.family) {
      case 'standard-webhooks':
      case 'standard-webhooks-ed25519':
        return signedDeliveryId(headers);
      case 'sns':
        return signedMessageId(body);
      default:
        return this.preset?.hasUniqueBodies ? deliveryIdOfBody(body) : deliveryIdIn(headers);
    }
  }
}
