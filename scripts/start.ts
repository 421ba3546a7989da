import { runMuster } from './start/muster.js';
import { readStartSettings } from './start/settings.js';
import { stopRequest } from './start/stop-request.js';
import { say } from './start/terminal.js';

/** `npm start`: sets up what is missing and runs everything until it is told to stop. Exit code 1 when it cannot. */
async function main(): Promise<void> {
  const stop = stopRequest();
  await runMuster(readStartSettings(process.env), stop);
  say('Muster has stopped.');
}

// A terminal that has been closed takes no more lines.
process.stdout.on('error', () => undefined);

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
