import { RequestError, unavailable } from '../../http/errors.js';
import type { SignatureParameters } from './parameters.js';
import type { SignaturePreset } from './presets/index.js';
import type { Rejection } from './verdict.js';
import { withParameters } from './verifier.js';

const MESSAGES: Record<Exclude<Rejection, 'unverifiable'>, string> = {
  missing_header: 'The signature is missing.',
  wrong_signature:
    'The signature is invalid. Check that the sender and the integration have the same secret.',
  old_timestamp: "The signature is too old or its timestamp is in the future. Check the sender's clock.",
};

/** Returns the error for a request whose signature was rejected. 503 if this host could not verify it, so that senders retry. */
export function rejectionResponse(
  rejection: Rejection,
  preset: SignaturePreset | null,
  parameters: SignatureParameters,
): RequestError {
  if (rejection === 'unverifiable' || preset === null) {
    return unavailable(preset?.scheme.family === 'sns' ? 'The certificate of SNS' : 'The signature secret');
  }
  return new RequestError(401, 'bad_signature', MESSAGES[rejection], {
    headers: { 'WWW-Authenticate': challenge(preset, parameters) },
  });
}

/** Returns the value of `WWW-Authenticate`: what the sender has to send. */
function challenge({ scheme }: SignaturePreset, parameters: SignatureParameters): string {
  switch (scheme.family) {
    case 'hmac':
      return inHeader(withParameters(scheme.hmac, parameters).header);
    case 'ed25519':
      return inHeader(scheme.ed25519.header);
    case 'token':
      return inHeader(parameters.header ?? scheme.token.header);
    case 'basic':
      return 'Basic realm="webhook", charset="UTF-8"';
    case 'sns':
      return 'WebhookSignature body="Signature"';
    default:
      return inHeader('webhook-signature');
  }
}

const inHeader = (name: string): string => `WebhookSignature header="${name}"`;
