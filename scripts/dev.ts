import { runUntilStopped } from './start/run-until-stopped.js';

/**
 * `npm run dev`: what `npm start` runs, on the same data, plus compilers that follow the sources: the API and the worker
 * restart after each change that compiles, and the console updates in the browser.
 */
await runUntilStopped({ watch: true });
