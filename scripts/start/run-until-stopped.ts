import { runMuster } from './muster.js';
import { readStartSettings } from './settings.js';
import { stopRequest } from './stop-request.js';
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
