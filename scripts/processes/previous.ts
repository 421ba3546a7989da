import { readFileSync, rmSync } from 'node:fs';
import { identify, livingPidIn, waitUntilGone } from './identity.js';

/**
 * A server whose parent was killed is being ended by its guardian. Two servers on one data directory would ruin
 * it (Redis takes no lock at all), so the next start waits for the old one, and ends it if nobody else does.
 * Leaves no stale process-id file.
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
  throw new Error(`an earlier server, process ${pid}, does not end: end it by hand and start again`);
}
