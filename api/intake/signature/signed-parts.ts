import type { Webhook } from '../../../db/webhooks/webhooks.js';
import type { SignatureParameters } from './parameters.js';
import { findPreset, type SignaturePreset } from './presets/index.js';
import { withParameters } from './verifier.js';

/** The parts of a request that a signature covers. */
export interface SignedParts {
  body: boolean;
  /** In lower case. */
  headers: readonly string[];
}

const NOTHING: SignedParts = { body: false, headers: [] };

/** Returns the parts that a preset covers with the given parameters. A token or password proves the sender and covers nothing. */
export function coveredParts({ scheme }: SignaturePreset, parameters: SignatureParameters): SignedParts {
  switch (scheme.family) {
    case 'standard-webhooks':
    case 'standard-webhooks-ed25519':
      return { body: true, headers: ['webhook-id', 'webhook-timestamp', 'svix-id', 'svix-timestamp'] };
    case 'hmac': {
      const { timestampHeader } = withParameters(scheme.hmac, parameters);
      return { body: true, headers: timestampHeader === null ? [] : [timestampHeader] };
    }
    case 'ed25519':
      return { body: true, headers: [scheme.ed25519.timestampHeader] };
    case 'sns':
      return { body: true, headers: [] };
    default:
      return NOTHING;
  }
}

/** Returns the parts of a request that an integration's signature covers, or null if it requires none. */
export function signedParts(
  webhook: Pick<Webhook, 'signatureScheme' | 'signatureParameters' | 'signatureMode'>,
): SignedParts | null {
  if (webhook.signatureScheme === null || webhook.signatureMode === 'observe') return null;
  const preset = findPreset(webhook.signatureScheme);
  return preset ? coveredParts(preset, webhook.signatureParameters) : NOTHING;
}
