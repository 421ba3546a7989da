import { runMuster } from './start/muster.js';
import { readStartSettings } from './start/settings.js';
import { stopRequest } from './start/stop-request.js';
import { say } from './start/terminal.js';

/** `npm start`: sets up what is missing and runs everything until it is stopped. Exits with 1 on failure. */
async function main(): Promise<void> {
  const stop = stopRequest();
  await runMuster(readStartSettings(process.env), stop);
  say('Muster has stopped.');
}

// The terminal may have been closed.
process.stdout.on('error', () => undefined);

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
