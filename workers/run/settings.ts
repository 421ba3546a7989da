import { resolve } from 'node:path';
import { z } from 'zod';
import {
  commonSettings,
  flagSetting,
  hasMailSender,
  MAIL_SENDER,
  readSettings,
  toCommonSettings,
  wholeNumberSetting,
} from '../process/settings.js';

/** A worker's settings from the environment. The README explains them. */
export const workerSchema = z
  .object({
    ...commonSettings,
    DATABASE_KEEP_JOBS_S: wholeNumberSetting(1, 3_600).default(30),
    IMPORT_LANES: wholeNumberSetting(1, 16).default(4),
    IMPORT_CHUNK_ROWS: wholeNumberSetting(1, 20_000).default(5_000),
    IMPORT_CHANGES: flagSetting('1'),
    IDENTITY_CHANGES_DAYS: wholeNumberSetting(8, 3_650).default(30),
    EVENT_RETENTION_DAYS: wholeNumberSetting(1, 3_650).default(30),
    ALERT_RETENTION_DAYS: wholeNumberSetting(1, 3_650).default(365),
    AUDIT_RETENTION_DAYS: wholeNumberSetting(30, 36_500).default(400),
    AUDIT_HEAD_FILES: flagSetting('1'),
    SECRET_KEY: z.string().optional(),
    SECRET_KEY_OLD: z.string().optional(),
    PUBLIC_URL: z.string().optional(),
    FEED_DIRECTORY: z.string().optional(),
  })
  .refine(hasMailSender, MAIL_SENDER)
  .transform((env) => ({
    ...toCommonSettings(env),
    scratchDir: resolve(env.DATA_DIR, 'import-spools'),
    /** How long jobs wait for the database before they are left to other workers. */
    databaseKeepJobsMs: env.DATABASE_KEEP_JOBS_S * 1_000,
    importLanes: env.IMPORT_LANES,
    importChunkRows: env.IMPORT_CHUNK_ROWS,
    /** Rows that an import sorts and stores on this machine at a time. Sorting takes about 20 ms, in which nothing else runs. */
    importRunRows: 65_536,
    importChanges: env.IMPORT_CHANGES,
    /** How long the feed of changes goes back. Longer than changes files are kept, which are the same rows. */
    identityChangesDays: env.IDENTITY_CHANGES_DAYS,
    eventRetentionDays: env.EVENT_RETENTION_DAYS,
    alertRetentionDays: env.ALERT_RETENTION_DAYS,
    auditRetentionDays: env.AUDIT_RETENTION_DAYS,
    /** Whether the heads of the audit log are written to the file store. */
    auditHeadFiles: env.AUDIT_HEAD_FILES,
    /** Decrypts the URLs and secrets of destinations; without it, nobody is told of alerts. */
    secretKey: env.SECRET_KEY || null,
    secretKeyOld: env.SECRET_KEY_OLD || undefined,
    /** Where feeds may read files of this host; null: nowhere. */
    feedDirectory: env.FEED_DIRECTORY ? resolve(env.FEED_DIRECTORY) : null,
    /** Of the console, for links in messages. */
    publicUrl: env.PUBLIC_URL || null,
  }));

/** `scratchDir` is where an import keeps the rows that it has read, so that a worker on this host can resume it. */
export type WorkerSettings = z.infer<typeof workerSchema>;

/** Reads the settings. @throws Error that lists all invalid settings */
export const readWorkerSettings = (env: NodeJS.ProcessEnv): WorkerSettings => readSettings(workerSchema, env);
