import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { asRunning } from '../processes/running.js';
import type { Service } from '../processes/supervisor.js';
import { type Program, type ProgramProcess, programProcesses } from './processes.js';
import type { TryReceiver } from './receiver.js';
import { makeGreetingKey } from './record.js';
import { keptSecret, secretKeyFile } from './secrets.js';
import { programService } from './services.js';
import type { StartSettings } from './settings.js';
import type { Stores } from './stores.js';

const scripts = { api: '../../api/main.js', worker: '../../workers/main.js' } as const;

/**
 * Returns the processes of the API and the worker, each with the database user of its program. With `watch`, Node restarts them when their
 * code changes; then each program has one process.
 */
export function programs(
  settings: StartSettings,
  { stores, receiver, watch }: { stores: Stores; receiver: TryReceiver; watch: boolean },
): Service[] {
  const { dataDir, processes, metricsPort } = settings;
  const shared = environment(settings, stores.redisUrl, receiver);
  const greetingKey = makeGreetingKey(dataDir);
  return programProcesses(processes).map((one) =>
    programService(one, dataDir, {
      script: scriptOf(one.program),
      watch,
      sharesPorts: one.program === 'api' && processes.api > 1,
      env: {
        ...shared,
        ...(one.program === 'worker' ? withoutApiSecrets : {}),
        DATABASE_URL: stores.databaseUrls[one.program],
        METRICS_PORT: metricsPortOf(one, metricsPort),
        GREETING_KEY: one.program === 'api' ? greetingKey : undefined,
      },
    }),
  );
}

const scriptOf = (program: Program) => fileURLToPath(new URL(scripts[program], import.meta.url));

/** A worker does not read this. */
const withoutApiSecrets = { BOOTSTRAP_API_KEY: undefined };

/** Returns the metrics port of a process: each has the one after that of the process before it. */
function metricsPortOf({ index }: ProgramProcess, port: number | null): string | undefined {
  if (port === null) return undefined;
  return String(port > 0 ? port + index : port);
}

function environment(settings: StartSettings, redisUrl: string, receiver: TryReceiver): NodeJS.ProcessEnv {
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
    OUTBOUND_ALLOW: [process.env.OUTBOUND_ALLOW, receiver.host].filter(Boolean).join(),
    SECRET_KEY: secretKey ?? keptSecret(secretKeyFile(dataDir), () => randomBytes(32).toString('base64')),
    ...optional,
  };
}

/** The TypeScript compiler and Vite's development server, which follow the sources. They write to the terminal. */
export function compilers(apiAddress: string): [server: Service, console: Service] {
  return [
    compiler('compiler', [
      'typescript/bin/tsc',
      '-p',
      'tsconfig.build.json',
      '--watch',
      '--preserveWatchOutput',
    ]),
    compiler(
      'console',
      ['vite/bin/vite.js', '--config', 'api/console/vite.config.ts', '--clearScreen', 'false'],
      {
        MUSTER_ADDRESS: apiAddress,
      },
    ),
  ];
}

function compiler(
  name: string,
  [program, ...args]: [string, ...string[]],
  env: NodeJS.ProcessEnv = {},
): Service {
  return {
    name,
    graceMs: 2_000,
    start: async () => {
      const child = spawn(process.execPath, [`node_modules/${program}`, ...args], {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      return asRunning(child, '');
    },
  };
}
