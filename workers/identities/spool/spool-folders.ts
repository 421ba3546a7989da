import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkerServices } from '../../run/services.js';

const SWEEP_EVERY_MS = 60 * 60 * 1_000;
const KEPT_MS = 24 * 60 * 60 * 1_000;

type Place = Pick<WorkerServices, 'settings' | 'log'>;

/** Returns where a job's spool is kept: on this machine, for all its workers. */
export const spoolFolder = (jobId: string, { settings }: Pick<WorkerServices, 'settings'>): string =>
  join(settings.scratchDir, jobId);

/** Removes the spool of a job that has ended. A spool that cannot be removed now is removed by the hourly cleanup. */
export async function removeSpool(jobId: string, services: Place): Promise<void> {
  await remove(spoolFolder(jobId, services)).catch((error) =>
    services.log.warn({ jobId, error: error.message }, 'could not remove the spool of an import'),
  );
}

/** Removes the spools of jobs that started on this machine and ended on another: now and every hour. */
export function sweepSpools({ settings, log }: Place): void {
  const sweep = () =>
    void removeOldSpools(settings.scratchDir).catch((error) =>
      log.warn({ error: error.message }, 'could not remove old spools of imports'),
    );
  sweep();
  setInterval(sweep, SWEEP_EVERY_MS).unref();
}

/** Removes all spools to which nothing was added for a day. A job that is still reading one has its files open. */
export async function removeOldSpools(scratchDir: string): Promise<void> {
  const names = await readdir(scratchDir).catch(() => []);
  for (const name of names) {
    const folder = join(scratchDir, name);
    const found = await stat(folder).catch(() => null);
    if (found && Date.now() - found.mtimeMs > KEPT_MS) await remove(folder);
  }
}

/** Retries if another worker adds a file during the removal. */
const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
