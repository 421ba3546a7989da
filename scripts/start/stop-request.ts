import { say } from './terminal.js';

/**
 * Aborted by SIGINT, SIGTERM or SIGHUP, or when the npm that started this process is gone: killed outright, it passes
 * nothing on. A Ctrl-C arrives twice, from the terminal and from npm; the second changes nothing.
 */
export function stopRequest(): AbortSignal {
  const stop = new AbortController();
  const ask = (why: string) => {
    if (stop.signal.aborted) return;
    say(`Stopping (${why}) ...`);
    stop.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ask(signal));
  if (['start', 'dev'].includes(process.env.npm_lifecycle_event ?? '')) watchParent(() => ask('npm is gone'));
  return stop.signal;
}

function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => process.ppid !== parent && onGone(), 500);
  timer.unref();
}
