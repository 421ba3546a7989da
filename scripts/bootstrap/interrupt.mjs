import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const parentCheckMs = 500;

/** The programs that the set-up is running: npm, the compiler, apt-get. */
const children = new Set();

/** Ends a program together with the set-up. */
export function stopTogether(child) {
  children.add(child);
  child.once('close', () => children.delete(child));
}

/**
 * From now on a signal also ends the programs that the set-up runs. The set-up also stops when its parent is gone:
 * npm passes a signal only to the shell, and that does not pass it on.
 * @returns {() => void} restores the usual behavior
 */
export function stopWithParent() {
  const handlers = signals.map((signal) => [signal, () => void stop(signal)]);
  for (const [signal, handler] of handlers) process.on(signal, handler);
  const parent = process.ppid;
  const timer = setInterval(() => process.ppid !== parent && void stop('SIGTERM'), parentCheckMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}

/** Waits for the programs, so that none goes on unseen, and exits as a shell reports a signal. */
async function stop(signal) {
  await Promise.all([...children].map((child) => ended(child, signal)));
  process.exit(128 + constants.signals[signal]);
}

/** The set-up itself must not hear of it: it would report that the program failed. */
function ended(child, signal) {
  child.removeAllListeners('close');
  child.kill(signal);
  return new Promise((resolve) => child.once('close', resolve));
}
