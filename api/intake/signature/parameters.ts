import { z } from 'zod';
import { ENCODINGS, HASHES, SECRET_ENCODINGS, SEPARATORS } from './families/hmac.js';
import { TOPIC_ARN } from './families/sns.js';
import { TIMESTAMP_UNITS } from './timestamp.js';

/** A day: a longer tolerance would not keep a recorded request from being replayed. */
const MAX_TOLERANCE_S = 24 * 60 * 60;

/** A field name of RFC 9110, in lower case as Node reads headers. */
const headerName = z
  .string()
  .max(64)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'must be the name of a header, such as X-Signature')
  .transform((name) => name.toLowerCase());
const visible = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\x20-\x7e]*$/, 'must consist of printable ASCII characters');

/** The settings of a signature scheme. Each scheme takes some of them, see `GET /v2/signature-presets`. */
export const parametersSchema = z.strictObject({
  header: headerName.optional().meta({ description: 'The header with the signature or token' }),
  prefix: visible(32).optional().meta({
    description: 'The text in front of the signature or token, such as `sha256=` or `Bearer `',
  }),
  separator: z.enum(SEPARATORS).nullable().optional().meta({
    description: 'What separates the parts of the header if it has several',
  }),
  hash: z.enum(HASHES).optional().meta({ description: 'The hash function of the HMAC' }),
  encoding: z.enum(ENCODINGS).optional().meta({ description: 'How the signature is written' }),
  secretEncoding: z.enum(SECRET_ENCODINGS).optional().meta({
    description: 'How the secret is written: `text` uses its UTF-8 bytes as the key',
  }),
  signedContent: visible(200).optional().meta({
    description: 'What is signed, such as `{body}`, `{timestamp}.{body}` or `v0:{timestamp}:{body}`',
  }),
  timestampHeader: headerName.optional().meta({ description: 'The header with the timestamp' }),
  timestampPrefix: visible(16).min(1).optional().meta({
    description: 'The text in front of the timestamp if it is part of the signature header, such as `t=`',
  }),
  timestampUnit: z.enum(TIMESTAMP_UNITS).optional().meta({ description: 'How the timestamp is written' }),
  toleranceSeconds: z.number().int().min(1).max(MAX_TOLERANCE_S).optional().meta({
    description: 'How far the timestamp may be from the time of receipt',
  }),
  username: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[^:\p{Cc}]+$/u, 'must not contain a colon or control characters')
    .optional()
    .meta({ description: 'The user name of HTTP Basic authentication' }),
  topicArn: z
    .string()
    .regex(TOPIC_ARN, 'must be the ARN of an SNS topic, such as arn:aws:sns:us-east-1:123456789012:alarms')
    .optional()
    .meta({ description: 'The SNS topic whose messages are accepted' }),
});

export type SignatureParameters = z.infer<typeof parametersSchema>;
export type ParameterName = keyof SignatureParameters;
