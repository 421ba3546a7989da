import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const parentCheckMs = 500;

/** The programs that the setup is running: npm, the compiler, apt-get. */
const children = new Set();

/** Stops a program together with the setup. */
export function stopTogether(child) {
  children.add(child);
  child.once('close', () => children.delete(child));
}

/**
 * Makes a signal also stop the programs that the setup runs. The setup also stops when its parent exits: npm passes a signal
 * only to the shell, which does not pass it on.
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

/** Waits for the programs, so that none continues unnoticed, and exits with the code that a shell uses for a signal. */
async function stop(signal) {
  await Promise.all([...children].map((child) => ended(child, signal)));
  process.exit(128 + constants.signals[signal]);
}

/** Keeps the setup from noticing, which would report that the program failed. */
function ended(child, signal) {
  child.removeAllListeners('close');
  child.kill(signal);
  return new Promise((resolve) => child.once('close', resolve));
}
