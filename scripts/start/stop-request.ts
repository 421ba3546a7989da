import { say } from './terminal.js';

/**
 * Returns a signal that SIGINT, SIGTERM and SIGHUP abort, and the exit of the npm that started this process: npm passes nothing
 * on if it is killed with SIGKILL. Ctrl-C arrives twice, from the terminal and from npm. The second has no effect.
 */
export function stopRequest(): AbortSignal {
  const stop = new AbortController();
  const ask = (why: string) => {
    if (stop.signal.aborted) return;
    say(`Stopping (${why}) ...`);
    stop.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ask(signal));
  if (['start', 'dev'].includes(process.env.npm_lifecycle_event ?? ''))
    watchParent(() => ask('npm has exited'));
  return stop.signal;
}

function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => process.ppid !== parent && onGone(), 500);
  timer.unref();
}
