import { commands } from './muster/commands.js';
import { runProcess } from './muster/process.js';
import type { Command } from './muster/run.js';

/** A command that uses what the server consists of. */
const inCheckout = (name: string): Command => ({
  summary: `needs a checkout of Muster: npm run ${name}`,
  run: async (_, { err }) => {
    err.write(`muster ${name} needs a checkout of Muster. Run there: npm run ${name} -- --help\n`);
    return 2;
  },
});

/** The command `muster` by itself, packed into one file by `npm run build`. */
await runProcess({ ...commands, keys: inCheckout('keys'), doctor: inCheckout('doctor') });
