import { runUpkeepCommand } from './upkeep/run.js';

/** `npm run upkeep`: shows what upkeep refuses to remove, and allows it. */
process.exitCode = await runUpkeepCommand(process.argv.slice(2), {
  env: process.env,
  out: process.stdout,
  err: process.stderr,
});
