import { runMuster } from './muster.js';
import { readStartSettings } from './settings.js';
import { say } from './terminal.js';

/** Runs everything until it is stopped, then ends this process: with 1 on failure. */
export async function runUntilStopped(options: Parameters<typeof runMuster>[2] = {}): Promise<never> {
  // The terminal may have been closed.
  process.stdout.on('error', () => undefined);
  const stop = stopRequest();
  try {
    await runMuster(readStartSettings(process.env), stop, options);
    say('Muster has stopped.');
    process.exit(0);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

/**
 * Returns a signal that SIGINT, SIGTERM and SIGHUP abort, and the exit of the npm that started this process: npm passes nothing
 * on if it is killed with SIGKILL. Ctrl-C arrives twice, from the terminal and from npm. The second has no effect.
 */
function stopRequest(): AbortSignal {
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
