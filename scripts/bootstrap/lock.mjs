import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `work` while no other process does the same in this folder. Waits for its turn, with one message.
 * Ignores a lock whose process has exited.
 * @param {string} folder created if missing
 * @param {() => Promise<void>} work
 */
export async function withLock(folder, work) {
  mkdirSync(folder, { recursive: true });
  const lock = join(folder, 'lock');
  await takeTurn(lock);
  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

async function takeTurn(lock) {
  let told = false;
  while (!take(lock)) {
    const holder = holderOf(lock);
    if (holder === undefined) removeStale(lock);
    if (holder > 0 && !told) console.log(`Waiting for the set-up that process ${holder} is doing here ...`);
    told ||= holder > 0;
    await sleep(100);
  }
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Returns the process that holds the lock, undefined if it has exited, or 0 while the lock is being written. */
function holderOf(lock) {
  const pid = Number(read(lock));
  if (!pid) return isOlderThan(lock, 2_000) ? undefined : 0;
  try {
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    return error.code === 'EPERM' ? pid : undefined;
  }
}

/** Removes a stale lock under a separate short lock: a process must not remove the new lock of another that found the same one. */
function removeStale(lock) {
  const removing = `${lock}.removing`;
  try {
    mkdirSync(removing);
  } catch {
    if (isOlderThan(removing, 10_000)) rmdirSync(removing);
    return;
  }
  if (holderOf(lock) === undefined) rmSync(lock, { force: true });
  rmdirSync(removing);
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function isOlderThan(path, ms) {
  try {
    return Date.now() - statSync(path).mtimeMs > ms;
  } catch {
    return false;
  }
}
