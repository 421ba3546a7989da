import { resolve } from 'node:path';
import { z } from 'zod';
import { isKeyText } from '../../db/api-keys.js';
import { storageUrl, withoutEmpty } from '../../workers/process/settings.js';

/** What `npm start` reads from the environment; the README's table says the same in words. */
const schema = z
  .object({
    PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
    HOST: z.string().default('127.0.0.1'),
    PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
    DATABASE_URL: z.url({ protocol: /^mysql$/ }).optional(),
    REDIS_URL: z.string().optional(),
    STORAGE_URL: storageUrl.optional(),
    DATA_DIR: z.string().default('.data'),
    BOOTSTRAP_API_KEY: z.string().refine(isKeyText, 'is not an API key: npm run keys makes one').optional(),
    SECRET_KEY: z.string().min(16).optional(),
    METRICS_PORT: z.coerce.number().int().min(0).max(65_534).optional(),
  })
  .transform((env) => ({
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL,
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    storageUrl: env.STORAGE_URL,
    dataDir: resolve(env.DATA_DIR),
    apiKey: env.BOOTSTRAP_API_KEY,
    secretKey: env.SECRET_KEY,
    metricsPort: env.METRICS_PORT ?? null,
  }))
  // The worker has the port after the API's.
  .refine(({ port, metricsPort }) => !metricsPort || ![metricsPort, metricsPort + 1].includes(port), {
    path: ['METRICS_PORT'],
    message: 'or the one after it is PORT',
  });

export type StartSettings = z.infer<typeof schema>;

/** Reads the settings; an empty variable counts as unset. Throws one error that names every fault. */
export function readStartSettings(env: NodeJS.ProcessEnv): StartSettings {
  const result = schema.safeParse(withoutEmpty(env));
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`The settings are not right: ${faults.join('; ')}`);
}
