import { resolve } from 'node:path';
import { apiSchema, readApiSettings } from '../../api/settings.js';
import type { DatabaseRole } from '../../db/access/grants.js';
import { findSettingErrors, type toCommonSettings } from '../../workers/process/settings.js';
import { readWorkerSettings, workerSchema } from '../../workers/run/settings.js';

/** The settings that are checked. */
export interface DoctorSettings extends Pick<ReturnType<typeof toCommonSettings>, 'smtp' | 'outboundProxy'> {
  role: DatabaseRole;
  databaseUrl: string;
  databaseReadUrl: string | undefined;
  databaseReadMaxLagMs: number;
  redisUrl: string;
  redisPrefix: string;
  intakeShards: number;
  /** 0 for a worker. */
  redisWaitReplicas: number;
  storageUrl: string;
  dataDir: string;
  /** A worker needs it only for destinations. */
  secretKey?: string;
  secretKeyOld?: string | undefined;
}

type Env = Record<string, string | undefined>;

/** Returns a line for each invalid setting of the role. */
export function invalidSettingsOf(role: DatabaseRole, env: Env): string[] {
  return findSettingErrors(role === 'api' ? apiSchema : workerSchema, env).map((error) =>
    error.startsWith('SECRET_KEY:') && !env.SECRET_KEY
      ? `${error}. A host with workers only needs none: use --role worker`
      : error,
  );
}

/** Reads the settings, which must be valid. */
export function readDoctorSettings(role: DatabaseRole, env: Env): DoctorSettings {
  const { secretKey, secretKeyOld, redisWaitReplicas, ...common } =
    role === 'api' ? readApiSettings(env) : { ...readWorkerSettings(env), redisWaitReplicas: 0 };
  const {
    databaseUrl,
    databaseReadUrl,
    databaseReadMaxLagMs,
    redisUrl,
    redisPrefix,
    intakeShards,
    storageUrl,
    smtp,
    outboundProxy,
  } = common;
  return {
    role,
    databaseUrl,
    databaseReadUrl,
    databaseReadMaxLagMs,
    redisUrl,
    redisPrefix,
    intakeShards,
    redisWaitReplicas,
    storageUrl,
    smtp,
    outboundProxy,
    dataDir: resolve(env.DATA_DIR || '.data'),
    ...(secretKey === null ? {} : { secretKey, secretKeyOld }),
  };
}
