import { runKeys } from './keys/run.js';

/** `npm run keys`: creates, lists and revokes API keys. */
process.exitCode = await runKeys(process.argv.slice(2), {
  env: process.env,
  out: process.stdout,
  err: process.stderr,
});
