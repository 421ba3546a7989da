import type { Tables } from 'knex/types/tables.js';
/** `observe`: events without a valid signature are accepted and counted. */
export const SIGNATURE_MODES = ['enforce', 'observe'] as const;
export type SignatureMode = (typeof SIGNATURE_MODES)[number];

/** The signature that an integration requires of its events. */
export interface WebhookSignature {
  /** The name of a preset, see `api/intake/signature/presets`; null if no signature is required. */
  signatureScheme: string | null;
  /** The settings of the scheme. Only the API interprets them. */
  signatureParameters: object;
  signatureMode: SignatureMode;
  /** When one of these settings last changed. Null for integrations that are older than this column. */
  signatureChangedAt: Date | null;
  /** Encrypted. */
  signatureSecret: Buffer | null;
  /** The secret before the last rotation, encrypted. It is valid until `previousSecretExpiresAt`. */
  previousSecret: Buffer | null;
  previousSecretExpiresAt: Date | null;
}

export const NO_SIGNATURE: WebhookSignature = {
  signatureScheme: null,
  signatureParameters: {},
  signatureMode: 'enforce',
  signatureChangedAt: null,
  signatureSecret: null,
  previousSecret: null,
  previousSecretExpiresAt: null,
};

/** Returns the columns of a signature's settings. */
export const toSignatureColumns = (signature: WebhookSignature) => ({
  signature_scheme: signature.signatureScheme,
  signature_parameters: JSON.stringify(signature.signatureParameters),
  signature_mode: signature.signatureMode,
  signature_changed_at: signature.signatureChangedAt,
  signature_secret: signature.signatureSecret,
  previous_secret: signature.previousSecret,
  previous_secret_expires_at: signature.previousSecretExpiresAt,
});

export const toSignature = (row: Tables['webhooks']): WebhookSignature => ({
  signatureScheme: row.signature_scheme,
  signatureParameters: JSON.parse(row.signature_parameters ?? '{}'),
  signatureMode: row.signature_mode,
  signatureChangedAt: row.signature_changed_at,
  signatureSecret: row.signature_secret,
  previousSecret: row.previous_secret,
  previousSecretExpiresAt: row.previous_secret_expires_at,
});
