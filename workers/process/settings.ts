import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { storageUrlError } from '../../db/files/index.js';
import { DEFAULT_PREFIX } from '../queues/connection.js';
import './schema-messages.js';

/** An integer from the environment. */
export function wholeNumber(min: number, max: number) {
  const error = `must be an integer from ${min} to ${max}`;
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error);
}

/** Where files are kept. Checked at start: a store that is not Muster's alone would lose what others keep there. */
export const storageUrl = z.string().superRefine((url, context) => {
  const message = storageUrlError(url);
  if (message) context.addIssue({ code: 'custom', message });
});

/** Settings that the API and the workers have in common: where things are kept, and how much is logged. */
export const commonSettings = {
  DATABASE_URL: z.url({ protocol: /^mysql$/, error: 'must be mysql://user:password@host:port/database' }),
  DATABASE_READ_URL: z
    .url({ protocol: /^mysql$/, error: 'must be mysql://user:password@host:port/database' })
    .optional(),
  REDIS_URL: z
    .string({ error: 'must be redis://host:port' })
    .regex(
      /^(rediss?|unix|redis\+sentinel):\/\//,
      'must be redis://, rediss://, unix:// or redis+sentinel://',
    ),
  REDIS_PREFIX: z
    .string()
    .regex(/^\{[a-z0-9-]+\}$/, 'must be a name in braces, like {muster}')
    .default(DEFAULT_PREFIX),
  DATA_DIR: z.string().default('.data'),
  STORAGE_URL: storageUrl.optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  METRICS_PORT: wholeNumber(0, 65_535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
};

type Common = z.infer<z.ZodObject<typeof commonSettings>>;

/** The same under the names that the code uses, with what is derived. */
export const toCommonSettings = (env: Common) => ({
  databaseUrl: env.DATABASE_URL,
  databaseReadUrl: env.DATABASE_READ_URL,
  redisUrl: env.REDIS_URL,
  redisPrefix: env.REDIS_PREFIX,
  storageUrl: env.STORAGE_URL ?? pathToFileURL(resolve(env.DATA_DIR, 'files')).href,
  logLevel: env.LOG_LEVEL,
  /** Where metrics are served without a key; null: nowhere. */
  metricsAddress: env.METRICS_PORT === undefined ? null : { host: env.METRICS_HOST, port: env.METRICS_PORT },
});

/** An empty variable counts as unset: a compose file passes on what is not set as such, and an empty host is every host. */
export const withoutEmpty = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));

/** Checks the environment by a schema; throws one error that names every fault. */
export function readSettings<Schema extends z.ZodType>(
  schema: Schema,
  env: NodeJS.ProcessEnv,
): z.infer<Schema> {
  const result = schema.safeParse(withoutEmpty(env));
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`Invalid settings:\n${faults.join('\n')}`);
}
