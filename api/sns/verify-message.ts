import { createVerify, type X509Certificate } from 'node:crypto';
import { SnsCertificateError, type SnsCertificates } from './sns-certificates.js';
import { type SnsMessage, signedText } from './sns-message.js';

/**
 * The outcome of a verification. `invalid_signature` and `invalid_certificate` are final. With
 * `certificate_unavailable`, the certificate could not be fetched, and a retry may succeed.
 */
export type SnsVerdict =
  | { isVerified: true }
  | {
      isVerified: false;
      code: 'invalid_signature' | 'invalid_certificate' | 'certificate_unavailable';
      message: string;
    };

/** Verifies that Amazon SNS signed a message. Fetches the certificate if it is not in memory. */
export async function verifySnsMessage(
  message: SnsMessage,
  certificates: SnsCertificates,
): Promise<SnsVerdict> {
  try {
    const certificate = await certificates.get(message.SigningCertURL);
    if (isSignedWith(message, certificate)) return { isVerified: true };
    return {
      isVerified: false,
      code: 'invalid_signature',
      message: 'The signature of the SNS message is invalid: Amazon SNS did not send it, or it was changed.',
    };
  } catch (error) {
    if (!(error instanceof SnsCertificateError)) throw error;
    const code = error.code === 'unavailable' ? 'certificate_unavailable' : 'invalid_certificate';
    return { isVerified: false, code, message: error.message };
  }
}

/** Returns whether the key of the certificate signed the message. `SignatureVersion` 1 is RSA with SHA-1, 2 with SHA-256. */
export function isSignedWith(message: SnsMessage, { publicKey }: X509Certificate): boolean {
  const algorithm = message.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256';
  if (publicKey.asymmetricKeyType !== 'rsa') return false;
  return createVerify(algorithm)
    .update(signedText(message))
    .verify(publicKey, Buffer.from(message.Signature, 'base64'));
}
