import type { SignaturePreset, Webhook } from '../../../http/types.ts';

type Signature = Pick<NonNullable<Webhook['signature']>, 'scheme' | 'secret' | 'parameters'>;
type Preset = Pick<SignaturePreset, 'family' | 'defaults'>;

/** How far a signature's timestamp may be from the time of receipt by default, in either direction. */
export const VALID_MINUTES = 5;

interface Signing {
  /** The delivery id. Events with the same id are stored once. */
  id: string;
  /** Seconds since 1970. */
  at: number;
}

/**
 * Returns the headers that prove to an integration that a body comes from a sender who has its secret. There are none for schemes
 * that need a private key, which only the source has.
 */
export async function signatureHeaders(
  { secret, parameters }: Signature,
  { family, defaults }: Preset,
  body: string,
  { id, at }: Signing,
): Promise<Record<string, string>> {
  if (secret === null) return {};
  const { header = '', prefix = '', ...settings } = { ...defaults, ...parameters };
  switch (family) {
    case 'token':
      return { [header]: `${prefix}${secret}` };
    case 'basic':
      return { authorization: `Basic ${toBase64(toBytes(`${parameters.username}:${secret}`))}` };
    case 'standard-webhooks': {
      const signed = toBase64(await hmac('SHA-256', keyOf(secret), `${id}.${at}.${body}`));
      return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signed}` };
    }
    case 'hmac':
      return hmacHeaders({ header, prefix, ...settings }, secret, body, at);
    default:
      return {};
  }
}

type HmacSettings = Signature['parameters'] & { header: string; prefix: string };

async function hmacHeaders(
  settings: HmacSettings,
  secret: string,
  body: string,
  at: number,
): Promise<Record<string, string>> {
  const { header, prefix, separator, hash = 'sha256', timestampHeader, timestampPrefix } = settings;
  const hasTimestamp = timestampHeader !== undefined || timestampPrefix !== undefined;
  const timestamp = timestampText(at, settings.timestampUnit);
  const content = hasTimestamp ? (settings.signedContent ?? '{body}') : withoutTimestamp(settings);
  // A function, because a body may contain `$&`, which `replace` would expand.
  const signed = content.replaceAll('{timestamp}', timestamp).replace('{body}', () => body);
  const key = decode(secret, settings.secretEncoding);
  const bytes = await hmac(hash.replace('sha', 'SHA-'), key, signed);
  const signature = `${prefix}${settings.encoding === 'base64' ? toBase64(bytes) : toHex(bytes)}`;
  if (timestampPrefix !== undefined)
    return { [header]: `${timestampPrefix}${timestamp}${separator ?? ','}${signature}` };
  return { [header]: signature, ...(timestampHeader === undefined ? {} : { [timestampHeader]: timestamp }) };
}

/** Grafana signs the body alone if no header for the timestamp is configured. */
const withoutTimestamp = ({ signedContent = '{body}' }: HmacSettings): string =>
  signedContent.includes('{timestamp}') ? '{body}' : signedContent;

function timestampText(at: number, unit: HmacSettings['timestampUnit']): string {
  if (unit === 'iso8601') return new Date(at * 1_000).toISOString();
  return String(unit === 'milliseconds' ? at * 1_000 : at);
}

/** Generates a secret as Standard Webhooks has it: `whsec_` and base64 of 24 random bytes. */
export const newSecret = (): string => `whsec_${toBase64(crypto.getRandomValues(new Uint8Array(24)))}`;

/** Returns whether this browser can sign. Browsers can on https: and loopback addresses only. */
export const canSign = (): boolean => globalThis.crypto?.subtle !== undefined;

async function hmac(hash: string, secret: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash };
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, toBytes(text)));
}

/** Decodes a secret as Standard Webhooks does: base64 with or without `whsec_`. Any other secret is used as UTF-8 text. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const encoded = secret.replace(/^whsec_/, '');
  return BASE64.test(encoded) ? fromBase64(encoded) : toBytes(secret);
}

function decode(secret: string, encoding: HmacSettings['secretEncoding']): Uint8Array<ArrayBuffer> {
  if (encoding === 'base64') return fromBase64(secret);
  if (encoding !== 'hex') return toBytes(secret);
  return Uint8Array.from(secret.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function fromBase64(encoded: string): Uint8Array<ArrayBuffer> {
  const text = encoded.replace(/(?<!=)=+$/, '');
  // A single remaining character has too few bits for a byte.
  const whole = text.length % 4 === 1 ? text.slice(0, -1) : text;
  return Uint8Array.from(atob(whole), (letter) => letter.charCodeAt(0));
}

const toBytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
