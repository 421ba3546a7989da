import type { TokenScheme } from '../families/credentials.js';
import type { Ed25519Scheme } from '../families/ed25519.js';
import type { HmacScheme } from '../families/hmac.js';
import type { ParameterName } from '../parameters.js';
import { TOLERANCE_S } from '../timestamp.js';

/** How a preset verifies. The parameters of an integration replace the values of `hmac` and `token`. */
export type PresetScheme =
  | { family: 'standard-webhooks' }
  | { family: 'standard-webhooks-ed25519' }
  | { family: 'hmac'; hmac: HmacScheme }
  | { family: 'ed25519'; ed25519: Ed25519Scheme }
  | { family: 'token'; token: TokenScheme }
  | { family: 'basic' }
  | { family: 'sns' };

/** How one product, or one standard, proves that a request comes from it. */
export interface SignaturePreset {
  /** The value of `signature.scheme`. Never changes. */
  name: string;
  title: string;
  /** Link to the product's own description of its signature. */
  documentation: string | null;
  scheme: PresetScheme;
  /** What the secret is called in the product and where to find or enter it. Null if the scheme has none. */
  secret: { title: string; location: string } | null;
  /**
   * Whether the source writes an id or the time into every body that it signs, so that two events never have the same body. An event
   * that is sent again with another delivery id in its headers, which are not signed, is then still the same.
   */
  hasUniqueBodies: boolean;
  /** The parameters that an integration may set. */
  parameters: readonly ParameterName[];
  /** Those that it must set. */
  required: readonly ParameterName[];
}

const HMAC: HmacScheme = {
  header: '',
  otherHeader: null,
  prefix: '',
  separator: null,
  hash: 'sha256',
  encoding: 'hex',
  secretEncoding: 'text',
  signedContent: '{body}',
  timestampHeader: null,
  timestampPrefix: null,
  timestampUnit: 'seconds',
  toleranceSeconds: TOLERANCE_S,
};

/** Returns an HMAC scheme. By default, the header is the hex HMAC-SHA256 of the body. */
export const hmac = (values: Partial<HmacScheme>): PresetScheme => ({
  family: 'hmac',
  hmac: { ...HMAC, ...values },
});

export const token = (header: string, prefix = ''): PresetScheme => ({
  family: 'token',
  token: { header, prefix },
});

/** Returns a preset without parameters, and whose bodies may repeat, unless it names some. */
export const preset = (
  values: Omit<SignaturePreset, 'parameters' | 'required' | 'hasUniqueBodies'> &
    Partial<Pick<SignaturePreset, 'parameters' | 'required' | 'hasUniqueBodies'>>,
): SignaturePreset => ({ parameters: [], required: [], hasUniqueBodies: false, ...values });
