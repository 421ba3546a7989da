import { runUpload } from './upload/run.js';

/** `npm run upload`: uploads a CSV file to Muster and shows the result. */
const stop = new AbortController();
// Ctrl-C arrives twice, from the terminal and from npm. The second has no effect.
process.on('SIGINT', () => stop.abort(130));
process.on('SIGTERM', () => stop.abort(143));
// The reader of the output, such as `head`, may close it early.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

process.exitCode = await runUpload(process.argv.slice(2), {
  env: process.env,
  out: process.stdout,
  err: process.stderr,
  stop: stop.signal,
});
