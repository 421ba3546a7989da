import { z } from 'zod';
import { isKeyText } from '../db/access/api-keys.js';
import {
  commonSettings,
  flagSetting,
  hasMailSender,
  MAIL_SENDER,
  readSettings,
  relating,
  toCommonSettings,
  wholeNumberSetting,
} from '../workers/process/settings.js';
import { hasFailover } from '../workers/queues/connection.js';
import { ADDRESS_PARTS } from './audit/client-address.js';

const MIB = 1024 * 1024;

/** The settings that the API reads from the environment. The README describes them. */
export const apiSchema = z
  .object({
    ...commonSettings,
    PORT: wholeNumberSetting(0, 65_535).default(3000),
    HOST: z.string().default('127.0.0.1'),
    PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be an http: or https: URL' }).optional(),
    ALLOW_HTTP: flagSetting('0'),
    BOOTSTRAP_API_KEY: z
      .string()
      .refine(isKeyText, 'must be an API key of this service, such as mstr_…')
      .optional(),
    SECRET_KEY: z
      .string({
        error:
          'is required: it encrypts webhook URLs and signature secrets. Generate one with openssl rand -base64 32',
      })
      .refine(
        isStrongKey,
        'must be at least 32 random bytes as base64 or hex. Generate one with openssl rand -base64 32, and set SECRET_KEY_OLD to the previous key, if any',
      ),
    SECRET_KEY_OLD: z.string().optional(),
    REDIS_WAIT_REPLICAS: wholeNumberSetting(0, 5).optional(),
    INTAKE_MAX_BYTES: wholeNumberSetting(1, 8 * MIB).default(MIB),
    INTAKE_BUFFER_BYTES: wholeNumberSetting(MIB, 2 ** 30).default(16 * MIB),
    INTAKE_MAX_QUEUED: wholeNumberSetting(1, 1e9).default(1_000_000),
    MAX_INTEGRATIONS: wholeNumberSetting(1, 1e6).default(20_000),
    MAX_API_KEYS: wholeNumberSetting(1, 1e6).default(1_000),
    KEY_MAX_OPEN_JOBS: wholeNumberSetting(1, 1e6).default(1_000),
    KEY_MAX_STORED_BYTES: wholeNumberSetting(MIB, 2 ** 50).default(50 * 1024 * MIB),
    /** Only set by `npm start`, which generates one for each run. See `api/access/greeting.ts`. */
    GREETING_KEY: z.string().min(64).optional(),
    REQUEST_TIMEOUT_S: wholeNumberSetting(1, 3_600).default(30),
    MAX_CONNECTIONS: wholeNumberSetting(1, 1e6).optional(),
    DRAIN_S: wholeNumberSetting(0, 60).default(0),
    PROXY_HOPS: wholeNumberSetting(0, 10).default(0),
    AUDIT_ADDRESS: z
      .enum(ADDRESS_PARTS, { error: `must be one of ${ADDRESS_PARTS.join(', ')}` })
      .default('full'),
  })
  // One integration may use a quarter of the buffer. A larger body could never be accepted.
  .refine((env) => env.INTAKE_BUFFER_BYTES / 4 >= env.INTAKE_MAX_BYTES + 4_096, {
    ...relating('INTAKE_BUFFER_BYTES', 'INTAKE_MAX_BYTES'),
    path: ['INTAKE_BUFFER_BYTES'],
    message: 'must be more than four times INTAKE_MAX_BYTES',
  })
  .refine((env) => env.PORT === 0 || env.PORT !== env.METRICS_PORT, {
    ...relating('PORT', 'METRICS_PORT'),
    path: ['METRICS_PORT'],
    message: 'must differ from PORT',
  })
  .refine(hasMailSender, MAIL_SENDER)
  // The port does not matter here, and may be invalid.
  .refine((env) => env.ALLOW_HTTP || isSafe(publicUrlOf({ ...env, PORT: 0 })), {
    ...relating('PUBLIC_URL', 'ALLOW_HTTP'),
    path: ['PUBLIC_URL'],
    message:
      'must be an https: URL, because over http: keys travel unencrypted. To allow http:, set ALLOW_HTTP=1',
  })
  .transform((env) => ({
    ...toCommonSettings(env),
    port: env.PORT,
    host: env.HOST,
    publicUrl: publicUrlOf(env),
    allowHttp: env.ALLOW_HTTP,
    bootstrapApiKey: env.BOOTSTRAP_API_KEY,
    secretKey: env.SECRET_KEY,
    secretKeyOld: env.SECRET_KEY_OLD,
    /** How many replicas of Redis must have a job before it is acknowledged. */
    redisWaitReplicas: env.REDIS_WAIT_REPLICAS ?? (hasFailover(env.REDIS_URL) ? 1 : 0),
    intakeMaxBytes: env.INTAKE_MAX_BYTES,
    intakeBufferBytes: env.INTAKE_BUFFER_BYTES,
    intakeMaxQueued: env.INTAKE_MAX_QUEUED,
    maxIntegrations: env.MAX_INTEGRATIONS,
    maxApiKeys: env.MAX_API_KEYS,
    keyMaxOpenJobs: env.KEY_MAX_OPEN_JOBS,
    keyMaxStoredBytes: env.KEY_MAX_STORED_BYTES,
    greetingKey: env.GREETING_KEY,
    requestTimeoutMs: env.REQUEST_TIMEOUT_S * 1_000,
    maxConnections: env.MAX_CONNECTIONS,
    drainMs: env.DRAIN_S * 1_000,
    /** Proxies in front of the API whose `X-Forwarded-For` is believed. */
    proxyHops: env.PROXY_HOPS,
    /** What the audit log keeps of the address of a client. */
    auditAddress: env.AUDIT_ADDRESS,
  }));

export type ApiSettings = z.infer<typeof apiSchema>;

/** Reads the settings. @throws Error that lists all invalid ones */
export const readApiSettings = (env: NodeJS.ProcessEnv): ApiSettings => readSettings(apiSchema, env);

interface Address {
  PUBLIC_URL?: string | undefined;
  HOST: string;
  PORT: number;
}

/** Returns the public URL; by default the one that the API listens on. */
const publicUrlOf = ({ PUBLIC_URL, HOST, PORT }: Address): string =>
  PUBLIC_URL ?? `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`;

/** Returns whether keys are safe on the way to this URL. True for an invalid URL, which another check reports. */
function isSafe(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
}

const KEY_BYTES = 32;
/** A random key has far more distinct characters. A repeated word has fewer. */
const DISTINCT_CHARACTERS = 8;

/** Returns whether a text is 32 bytes or more, as hex or base64 (either alphabet), and looks random. */
function isStrongKey(text: string): boolean {
  if (new Set(text).size < DISTINCT_CHARACTERS) return false;
  if (/^[0-9a-f]+$/i.test(text)) return text.length >= 2 * KEY_BYTES;
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) && Buffer.from(text, 'base64').length >= KEY_BYTES;
}
