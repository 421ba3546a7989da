import { readFileSync } from 'node:fs';

/** Holds the event loop of this process from SIGUSR2 on, until the writer of the named pipe `HOLD_LOOP` closes it. Other threads run on. */
process.on('SIGUSR2', () => readFileSync(process.env.HOLD_LOOP));
