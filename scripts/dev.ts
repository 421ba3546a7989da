import { runMuster } from './start/muster.js';
import { readStartSettings } from './start/settings.js';
import { stopRequest } from './start/stop-request.js';
import { say } from './start/terminal.js';

/**
 * `npm run dev`: what `npm start` runs, on the same data, plus compilers that follow the sources: the API and the worker
 * restart after each change that compiles, and the console updates in the browser.
 */
async function main(): Promise<void> {
  const stop = stopRequest();
  await runMuster(readStartSettings(process.env), stop, { watch: true });
  say('Muster has stopped.');
}

process.stdout.on('error', () => undefined);

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
