import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { z } from 'zod';
import { apiSchema } from '../../api/settings.js';
import {
  findSettingErrors,
  invalidSettings,
  relating,
  wholeNumberSetting,
  withoutEmpty,
} from '../../workers/process/settings.js';
import { workerSchema } from '../../workers/run/settings.js';
import { databaseMemorySetting } from '../private-servers/memory.js';
import { defaultProcesses } from './processes.js';
import { readSecret, secretKeyFile } from './secrets.js';

const processCount = wholeNumberSetting(1, 32).default(() => defaultProcesses());
const countNames = ['API_PROCESSES', 'WORKER_PROCESSES'];

interface Counts {
  API_PROCESSES: number;
  WORKER_PROCESSES: number;
}

const totalOf = ({ API_PROCESSES, WORKER_PROCESSES }: Counts): number => API_PROCESSES + WORKER_PROCESSES;

/** Returns whether a port is among those on which the processes serve their metrics. */
const isAmong = (port: number, first: number, processes: Counts): boolean =>
  port >= first && port < first + totalOf(processes);

/** What `npm start` itself reads from the environment. What it passes on is checked by the schemas of the API and the worker. */
const schema = z
  .object({
    PORT: wholeNumberSetting(0, 65_535).default(3000),
    HOST: z.string().default('127.0.0.1'),
    PUBLIC_URL: z.string().optional(),
    DATABASE_URL: z.string().optional(),
    REDIS_URL: z.string().optional(),
    STORAGE_URL: z.string().optional(),
    DATA_DIR: z.string().default('.data'),
    DB_MEMORY_MB: databaseMemorySetting,
    BOOTSTRAP_API_KEY: z.string().optional(),
    SECRET_KEY: z.string().optional(),
    METRICS_PORT: wholeNumberSetting(0, 65_535).optional(),
    API_PROCESSES: processCount,
    WORKER_PROCESSES: processCount,
  })
  .refine(({ PORT, METRICS_PORT, ...counts }) => !METRICS_PORT || !isAmong(PORT, METRICS_PORT, counts), {
    ...relating('PORT', 'METRICS_PORT', ...countNames),
    path: ['METRICS_PORT'],
    message:
      'must leave PORT free: each process serves its metrics on a port, METRICS_PORT or one of the next',
  })
  .refine(({ METRICS_PORT = 0, ...counts }) => METRICS_PORT + totalOf(counts) <= 65_536, {
    ...relating('METRICS_PORT', ...countNames),
    path: ['METRICS_PORT'],
    message: 'must leave a port up to 65535 for each process',
  })
  .transform((env) => ({
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL,
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    storageUrl: env.STORAGE_URL,
    dataDir: resolve(env.DATA_DIR),
    databaseMemoryMb: env.DB_MEMORY_MB,
    apiKey: env.BOOTSTRAP_API_KEY,
    secretKey: env.SECRET_KEY,
    metricsPort: env.METRICS_PORT ?? null,
    processes: { api: env.API_PROCESSES, worker: env.WORKER_PROCESSES },
  }));

export type StartSettings = z.infer<typeof schema>;

/**
 * Reads the settings of everything that `npm start` runs, before it starts anything. An empty variable counts as unset.
 * @throws Error that lists all errors, of `npm start`, the API and the worker
 */
export function readStartSettings(env: NodeJS.ProcessEnv): StartSettings {
  const keyFile = secretKeyFile(resolve(env.DATA_DIR || '.data'));
  const assumed = { ...assumedSettings(keyFile), ...withoutEmpty(env) };
  const errors = [
    ...findSettingErrors(schema, env),
    ...findSettingErrors(apiSchema, assumed),
    ...findSettingErrors(workerSchema, assumed),
  ];
  if (errors.length > 0) {
    const isKept = !env.SECRET_KEY;
    throw invalidSettings(
      oneByName(errors).map((error) =>
        isKept && error.startsWith('SECRET_KEY:') ? `${error} (it comes from ${keyFile})` : error,
      ),
    );
  }
  return schema.parse(withoutEmpty(env));
}

/** What `npm start` uses where the environment names nothing. */
const assumedSettings = (keyFile: string) => ({
  DATABASE_URL: 'mysql://private/muster',
  REDIS_URL: 'unix:///private',
  SECRET_KEY: keptKey(keyFile) || randomBytes(32).toString('base64'),
});

/** A file that cannot be read is reported when the data directory is opened. */
function keptKey(file: string): string {
  try {
    return readSecret(file);
  } catch {
    return '';
  }
}

/** A setting that two schemas read is reported once. */
function oneByName(errors: readonly string[]): string[] {
  const nameOf = (error: string) => error.split(':', 1)[0];
  return errors.filter((error, i) => errors.findIndex((other) => nameOf(other) === nameOf(error)) === i);
}
