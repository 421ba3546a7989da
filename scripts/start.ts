import { runUntilStopped } from './start/run-until-stopped.js';

/** `npm start`: sets up what is missing and runs everything until it is stopped. */
await runUntilStopped();
