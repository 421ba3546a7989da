import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Returns the identity of a process as `PID START`. Ids are reused, so a file that names a process has to contain its start time.
 * START is `-` if the process has exited.
 */
export function identify(pid: number): string {
  return `${pid} ${startOf(pid) ?? '-'}`;
}

/** Returns the id of the process in an identity if that same process is still running. */
export function livingPid(identity: string): number | undefined {
  const [pid, ...start] = identity.trim().split(' ');
  const id = Number(pid);
  if (!Number.isInteger(id) || id <= 1) return undefined;
  return startOf(id) === start.join(' ') ? id : undefined;
}

/** Does the same for a file that contains an identity. Returns undefined if the file is missing or unreadable. */
export function livingPidIn(file: string): number | undefined {
  try {
    return livingPid(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Waits until the process has exited. Returns false if it is still running after `timeoutMs`. */
export async function waitUntilGone(identity: string, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (livingPid(identity) !== undefined) {
    if (Date.now() > deadline) return false;
    await sleep(25);
  }
  return true;
}

function startOf(pid: number): string | undefined {
  try {
    return process.platform === 'linux' ? linuxStart(pid) : portableStart(pid);
  } catch {
    return undefined;
  }
}

/** proc(5): after the name in parentheses come the state and, 19 fields later, the start in ticks since boot. */
function linuxStart(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? undefined : fields[19];
}

function portableStart(pid: number): string | undefined {
  const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return started.trim().replace(/\s+/g, '-') || undefined;
}
