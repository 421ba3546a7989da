import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { databaseUrlError, hostUrls } from '../../db/client/hosts/host-urls.js';
import { storageUrlError } from '../../db/files/index.js';
import { AllowList } from '../outbound/allow-list.js';
import { parseMailbox } from '../outbound/mail-address.js';
import { parseSmtpUrl, SMTP_URL_RULE } from '../outbound/smtp-server.js';
import { DEFAULT_PREFIX, isCluster } from '../queues/connection.js';
import { parseSentinelUrl } from '../queues/sentinel-url.js';
import { CLUSTER_SHARDS, MAX_SHARDS } from '../queues/shards/intake-shards.js';
import './schema-messages.js';

/** An integer from the environment. */
export function wholeNumberSetting(min: number, max: number) {
  const error = `must be an integer from ${min} to ${max}`;
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error);
}

/** 0 or 1 from the environment, as a boolean. */
export const flagSetting = (byDefault: '0' | '1') =>
  z
    .enum(['0', '1'])
    .default(byDefault)
    .transform((text) => text === '1');

/** Where files are stored. Checked at start, because files of others in the same place could be lost. */
export const storageUrl = z.string().superRefine((url, context) => {
  const message = storageUrlError(url);
  if (message) context.addIssue({ code: 'custom', message });
});

const databaseUrl = z
  .string({ error: 'must be mysql://user:password@host:port/database' })
  .superRefine((url, context) => {
    const message = databaseUrlError(url);
    if (message) context.addIssue({ code: 'custom', message });
  });

const allowList = z.string().transform((text, context) => {
  try {
    return AllowList.parse(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
    return z.NEVER;
  }
});

const proxyUrl = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search + url.hash === '')
    return url;
  context.addIssue({ code: 'custom', message: 'must be http://user:password@host:port, or https://…' });
  return z.NEVER;
});

const smtpUrl = z.string().transform((text, context) => {
  const server = parseSmtpUrl(text);
  if (server) return server;
  context.addIssue({ code: 'custom', message: SMTP_URL_RULE });
  return z.NEVER;
});

const smtpFrom = z.string().transform((text, context) => {
  const from = parseMailbox(text);
  if (from) return from;
  context.addIssue({
    code: 'custom',
    message:
      'must be muster@example.com or Muster <muster@example.com>, with ASCII letters only in the address',
  });
  return z.NEVER;
});

const MIB = 1024 * 1024;

/** Settings that the API and the workers have in common: where and how long things are kept, and how much is logged. */
export const commonSettings = {
  DATABASE_URL: databaseUrl,
  DATABASE_READ_URL: databaseUrl.refine(hasOneHost, 'must have one host').optional(),
  DATABASE_READ_MAX_LAG_S: wholeNumberSetting(0, 3_600).default(0),
  REDIS_URL: z
    .string({ error: 'must be redis://host:port' })
    .regex(
      /^(rediss?|unix|rediss?\+sentinel):\/\//,
      'must be redis://, rediss://, unix://, redis+sentinel:// or rediss+sentinel://',
    )
    .refine(
      hasParseableHosts,
      'must have a valid host and port in each of its addresses, a percent-encoded user and password, and no part without a meaning',
    ),
  REDIS_PREFIX: z
    .string()
    .regex(/^\{[a-z0-9-]+\}$/, 'must be a name in braces, like {muster}')
    .default(DEFAULT_PREFIX),
  INTAKE_SHARDS: wholeNumberSetting(1, MAX_SHARDS).optional(),
  DATA_DIR: z.string().default('.data'),
  STORAGE_URL: storageUrl.optional(),
  UPLOAD_MAX_BYTES: wholeNumberSetting(1, 2 ** 40).default(1024 * MIB),
  UPLOAD_MAX_ROWS: wholeNumberSetting(1, 1e9).default(20_000_000),
  SMALL_UPLOAD_BYTES: wholeNumberSetting(0, 2 ** 40).default(8_000_000),
  IDENTITY_HISTORY_DAYS: wholeNumberSetting(0, 3_650).default(400),
  APPROVAL_REMOVALS: wholeNumberSetting(0, 1e9).optional(),
  OUTBOUND_ALLOW: allowList.optional(),
  OUTBOUND_PROXY: proxyUrl.optional(),
  SMTP_URL: smtpUrl.optional(),
  SMTP_FROM: smtpFrom.optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  METRICS_PORT: wholeNumberSetting(0, 65_535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
};

type Common = z.infer<z.ZodObject<typeof commonSettings>>;

/** The same under the names that the code uses, with what is derived. */
export const toCommonSettings = (env: Common) => ({
  databaseUrl: env.DATABASE_URL,
  databaseReadUrl: env.DATABASE_READ_URL,
  /** How old the data of the replica may be; 0 if it must have everything. */
  databaseReadMaxLagMs: env.DATABASE_READ_MAX_LAG_S * 1_000,
  redisUrl: env.REDIS_URL,
  redisPrefix: env.REDIS_PREFIX,
  dataDir: resolve(env.DATA_DIR),
  /** Over how many shards the intake spreads batches of events. */
  intakeShards: env.INTAKE_SHARDS ?? (isCluster(env.REDIS_URL) ? CLUSTER_SHARDS : 1),
  storageUrl: env.STORAGE_URL ?? pathToFileURL(resolve(env.DATA_DIR, 'files')).href,
  /** Limits of the file of an upload or a feed. */
  uploadMaxBytes: env.UPLOAD_MAX_BYTES,
  uploadMaxRows: env.UPLOAD_MAX_ROWS,
  smallUploadBytes: env.SMALL_UPLOAD_BYTES,
  /** How long the history of accounts is kept; 0 if none is recorded. */
  identityHistoryDays: env.IDENTITY_HISTORY_DAYS,
  /** A change that removes more accounts must be a plan that another API key applies; null: none must. */
  approvalRemovals: env.APPROVAL_REMOVALS ?? null,
  /** The hosts outside the public internet that deliveries may reach. */
  outboundAllow: env.OUTBOUND_ALLOW ?? AllowList.EMPTY,
  /** The proxy for requests to other hosts; null: none. */
  outboundProxy: env.OUTBOUND_PROXY ?? null,
  /** The mail server, and the sender of mails; null: there is none. */
  smtp: env.SMTP_URL && env.SMTP_FROM ? { server: env.SMTP_URL, from: env.SMTP_FROM } : null,
  logLevel: env.LOG_LEVEL,
  /** Where metrics are served without a key; null: nowhere. */
  metricsAddress: env.METRICS_PORT === undefined ? null : { host: env.METRICS_HOST, port: env.METRICS_PORT },
});

/** Treats an empty variable as unset: Compose passes unset variables as empty, and an empty host would mean all addresses. */
export const withoutEmpty = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));

/**
 * Returns a line `NAME: what is wrong with it` for each invalid setting. The API, the workers and `npm start` each have a
 * schema; with this, `npm start` reports the errors of all three before it starts anything.
 */
export function findSettingErrors(schema: z.ZodType, env: NodeJS.ProcessEnv): string[] {
  const { error } = schema.safeParse(withoutEmpty(env));
  return (error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
}

/** Returns an error that lists all invalid settings. */
export const invalidSettings = (errors: readonly string[]): Error =>
  new Error(['Invalid settings:', ...errors].join('\n  '));

/**
 * Checks the environment by a schema.
 * @throws Error that lists all invalid settings
 */
export function readSettings<Schema extends z.ZodType>(
  schema: Schema,
  env: NodeJS.ProcessEnv,
): z.infer<Schema> {
  const errors = findSettingErrors(schema, env);
  if (errors.length > 0) throw invalidSettings(errors);
  return schema.parse(withoutEmpty(env));
}

/**
 * Options of a rule over several settings: it applies unless one of them is invalid by itself. By default, zod skips such
 * rules as soon as any setting is invalid, and the user would learn of them only at the next try.
 */
export const relating = (...names: string[]) => ({
  when: ({ issues }: z.core.ParsePayload) => !issues.some(({ path }) => names.includes(String(path?.[0]))),
});

/** A rule of both schemas: a mail server is of no use without a sender. */
export const hasMailSender = ({
  SMTP_URL,
  SMTP_FROM,
}: {
  SMTP_URL?: unknown;
  SMTP_FROM?: unknown;
}): boolean => !SMTP_URL || Boolean(SMTP_FROM);
export const MAIL_SENDER = {
  ...relating('SMTP_URL', 'SMTP_FROM'),
  path: ['SMTP_FROM'],
  message:
    'is required with SMTP_URL: the address from which mails are sent, such as Muster <muster@example.com>',
};

function hasOneHost(url: string): boolean {
  return databaseUrlError(url) !== null || hostUrls(url).length === 1;
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

/** The forms are those of `connect` in `workers/queues/connection.ts`. */
function hasParseableHosts(url: string): boolean {
  if (url.startsWith('unix://')) return true;
  try {
    const nodes = parseSentinelUrl(url)?.nodes ?? url.split(',').map((one) => new URL(one));
    return nodes.every(
      ({ protocol, hostname, username, password }) =>
        /^rediss?:$/.test(protocol) && hostname !== '' && isDecodable(username + password),
    );
  } catch {
    return false;
  }
}
