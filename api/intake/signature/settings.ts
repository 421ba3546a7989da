import { isEd25519Key } from './families/ed25519.js';
import { type HmacScheme, hasTimestamp } from './families/hmac.js';
import { isStrongSecret } from './families/standard-webhooks.js';
import type { SignatureParameters } from './parameters.js';
import { findPreset, type SignaturePreset } from './presets/index.js';
import { contentProblem } from './signed-content.js';
import { withParameters } from './verifier.js';

/** The settings of a signature that must fit together. */
export interface SignatureSettings {
  scheme: string;
  /** Null if none was given. */
  secret: string | null;
  parameters: SignatureParameters;
}

export interface SettingProblem {
  path: readonly string[];
  message: string;
}

/** A shorter secret could be guessed. In characters, and in bytes of a secret that is decoded. */
export const MIN_SECRET_LENGTH = 16;
export const MAX_SECRET_LENGTH = 200;

/** Returns everything that is wrong with the settings of a signature, beyond what their schema checks. */
export function settingProblems(settings: SignatureSettings): SettingProblem[] {
  const preset = findPreset(settings.scheme);
  if (!preset) return [{ path: ['scheme'], message: 'must be a name from GET /v2/signature-presets' }];
  const secret = secretProblem(preset, settings);
  return [
    ...parameterProblems(preset, settings.parameters),
    ...(secret ? [{ path: ['secret'], message: secret }] : []),
  ];
}

function parameterProblems(preset: SignaturePreset, parameters: SignatureParameters): SettingProblem[] {
  const { name, scheme, parameters: known, required } = preset;
  const foreign = Object.keys(parameters).filter((key) => !known.some((name) => name === key));
  const missing = required.filter((key) => parameters[key] === undefined);
  const takes = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
  return [
    ...foreign.map((key) => ({
      path: ['parameters', key],
      message: `is not a parameter of the scheme ${name}; ${takes}`,
    })),
    ...missing.map((key) => ({ path: ['parameters', key], message: `is required by the scheme ${name}` })),
    ...(scheme.family === 'hmac' ? hmacProblems(withParameters(scheme.hmac, parameters)) : []),
  ];
}

function hmacProblems(scheme: HmacScheme): SettingProblem[] {
  const problems: SettingProblem[] = [];
  const report = (name: keyof HmacScheme, message: string) =>
    problems.push({ path: ['parameters', name], message });
  if (scheme.timestampHeader !== null && scheme.timestampPrefix !== null)
    report('timestampPrefix', 'must not be given together with `timestampHeader`');
  if (scheme.timestampPrefix !== null && scheme.separator === null)
    report('separator', 'is required with `timestampPrefix`, because the header then has several parts');
  const content = contentProblem(scheme.signedContent, hasTimestamp(scheme));
  if (content) report('signedContent', content);
  return problems;
}

function secretProblem(preset: SignaturePreset, { secret, parameters }: SignatureSettings): string | null {
  const { scheme, title } = preset;
  if (preset.secret === null) return secret === null ? null : `must not be given: ${title} has no secret`;
  if (secret === null) return `is required by the scheme ${preset.name}`;
  switch (scheme.family) {
    case 'standard-webhooks':
      return isStrongSecret(secret)
        ? null
        : 'must have base64 of at least 16 bytes after whsec_. Check that it is not masked or cut off';
    case 'standard-webhooks-ed25519':
    case 'ed25519':
      return isEd25519Key(secret)
        ? null
        : 'must be an Ed25519 public key: 32 bytes in hex, or in base64 after whpk_';
    case 'token':
      return /^[\x21-\x7e]+$/.test(secret)
        ? null
        : 'must consist of visible ASCII characters, because it is sent in a header';
    case 'hmac':
      return decodedProblem(secret, withParameters(scheme.hmac, parameters).secretEncoding);
    default:
      return null;
  }
}

const ALPHABETS = { hex: /^([0-9a-f]{2})+$/i, base64: /^[A-Za-z0-9+/]+={0,2}$/ };

function decodedProblem(secret: string, encoding: HmacScheme['secretEncoding']): string | null {
  if (encoding === 'text') return null;
  const isLong = Buffer.from(secret, encoding).length >= MIN_SECRET_LENGTH;
  return isLong && ALPHABETS[encoding].test(secret) ? null : `must be ${encoding} of at least 16 bytes`;
}
