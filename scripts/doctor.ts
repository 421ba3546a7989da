import { runDoctor } from './doctor/run.js';

/** `npm run doctor`: checks a deployment. Exits at once, because a frozen server may keep its connections open. */
const code = await runDoctor(process.argv.slice(2), {
  env: process.env,
  out: process.stdout,
  err: process.stderr,
});
process.stdout.write('', () => process.exit(code));
