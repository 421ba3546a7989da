import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { contentPieces, parseContent } from '../signed-content.js';
import { isRecent, TOLERANCE_S } from '../timestamp.js';
import { headerOf, type Verify } from '../verdict.js';

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const HEX = /^[0-9a-f]{64}$/i;
const BASE64 = /^[A-Za-z0-9+/]{43}=?$/;
const PREFIX = 'whpk_';

/** Returns whether a text is an Ed25519 public key: 32 bytes as hex, or as base64 with or without `whpk_`. */
export const isEd25519Key = (text: string): boolean => ed25519Key(text) !== null;

/** Returns a public key, or null if the text is not one. */
export function ed25519Key(text: string): KeyObject | null {
  const encoded = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
  const bytes = HEX.test(encoded) ? Buffer.from(encoded, 'hex') : base64Bytes(encoded);
  if (bytes?.length !== KEY_BYTES) return null;
  try {
    const key = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') };
    return createPublicKey({ key, format: 'jwk' });
  } catch {
    return null;
  }
}

const base64Bytes = (text: string): Buffer | null => (BASE64.test(text) ? Buffer.from(text, 'base64') : null);

export const isSignedEd25519 = (key: KeyObject | null, content: Buffer, signature: Buffer): boolean =>
  key !== null && signature.length === SIGNATURE_BYTES && verify(null, content, key, signature);

/** How a sender signs with Ed25519 and a timestamp in seconds. The signature is in hex. */
export interface Ed25519Scheme {
  /** Both in lower case. */
  header: string;
  timestampHeader: string;
  signedContent: string;
}

/** Returns the verifier of an Ed25519 scheme for one public key. */
export function verifyEd25519(scheme: Ed25519Scheme, publicKey: string): Verify {
  const key = ed25519Key(publicKey);
  const content = parseContent(scheme.signedContent);
  return ({ headers, body, now }) => {
    const [given, timestamp] = [headerOf(headers, scheme.header), headerOf(headers, scheme.timestampHeader)];
    if (given === '' || timestamp === '') return 'missing_header';
    if (!isRecent(timestamp, 'seconds', TOLERANCE_S, now)) return 'old_timestamp';
    const signed = Buffer.concat(contentPieces(content, timestamp, body).map((piece) => Buffer.from(piece)));
    return isSignedEd25519(key, signed, Buffer.from(given, 'hex')) ? 'verified' : 'wrong_signature';
  };
}
