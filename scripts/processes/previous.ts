import { readFileSync, rmSync } from 'node:fs';
import { identify, livingPidIn, waitUntilGone } from './identity.js';

/**
 * Waits until the server of an earlier start has exited, and stops it if its guardian does not: two servers on one data directory
 * would damage it (Redis takes no lock at all). Removes the process-id file.
 * @param pidFile written by `spawnGuarded`
 */
export async function endPrevious(pidFile: string): Promise<void> {
  const pid = livingPidIn(pidFile);
  if (pid !== undefined) await endOrphan(pid, readFileSync(pidFile, 'utf8'));
  rmSync(pidFile, { force: true });
}

async function endOrphan(pid: number, identity: string): Promise<void> {
  if (await waitUntilGone(identity, 3_000)) return;
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (identify(pid) === identity) process.kill(pid, signal);
    if (await waitUntilGone(identity, 20_000)) return;
  }
  throw new Error(`an earlier server, process ${pid}, does not stop: kill it, then start again`);
}
