import { runMigrate } from './migrate/run.js';

/** `npm run migrate`: brings the schema of DATABASE_URL up to date. */
process.exitCode = await runMigrate(process.argv.slice(2), {
  env: process.env,
  out: process.stdout,
  err: process.stderr,
});
