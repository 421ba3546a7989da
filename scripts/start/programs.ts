import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Service } from '../processes/supervisor.js';
import { makeGreetingKey } from './record.js';
import { keptSecret, secretKeyFile } from './secrets.js';
import { programService } from './services.js';
import type { StartSettings } from './settings.js';
import type { Stores } from './stores.js';

const scripts = { api: '../../api/main.js', worker: '../../workers/main.js' } as const;

/** The API and a worker, each with its own database user. With `watch`, Node restarts them when their code changes. */
export function programs(
  settings: StartSettings,
  stores: Stores,
  watch: boolean,
): [api: Service, worker: Service] {
  const shared = environment(settings, stores.redisUrl);
  const greetingKey = makeGreetingKey(settings.dataDir);
  const service = (name: 'api' | 'worker') =>
    programService(name, settings.dataDir, scriptOf(name), watch, {
      ...shared,
      ...(name === 'worker' ? withoutApiSecrets : {}),
      DATABASE_URL: stores.databaseUrls[name],
      METRICS_PORT: metricsPort(name, settings.metricsPort),
      GREETING_KEY: name === 'api' ? greetingKey : undefined,
    });
  return [service('api'), service('worker')];
}

const scriptOf = (name: 'api' | 'worker') => fileURLToPath(new URL(scripts[name], import.meta.url));

/** A worker reads none of these. */
const withoutApiSecrets = {
  SECRET_KEY: undefined,
  SECRET_KEY_OLD: undefined,
  BOOTSTRAP_API_KEY: undefined,
};

/** Returns the metrics port. The worker uses the one after the API's, because two programs cannot share a port. */
function metricsPort(name: 'api' | 'worker', port: number | null): string | undefined {
  if (port === null) return undefined;
  return String(name === 'worker' && port > 0 ? port + 1 : port);
}

function environment(settings: StartSettings, redisUrl: string): NodeJS.ProcessEnv {
  const { dataDir, host, port, publicUrl, storageUrl, secretKey } = settings;
  const optional = publicUrl ? { PUBLIC_URL: publicUrl } : {};
  return {
    ...process.env,
    NODE_ENV: process.env.NODE_ENV ?? 'production',
    HOST: host,
    PORT: String(port),
    DATA_DIR: dataDir,
    STORAGE_URL: storageUrl ?? pathToFileURL(join(dataDir, 'files')).href,
    REDIS_URL: redisUrl,
    SECRET_KEY: secretKey ?? keptSecret(secretKeyFile(dataDir), () => randomBytes(32).toString('base64')),
    ...optional,
  };
}
