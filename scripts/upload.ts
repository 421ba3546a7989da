import { runUpload } from './upload/run.js';

/** `npm run upload`: sends a CSV file to Muster and tells what became of its rows. */
const stop = new AbortController();
// A Ctrl-C arrives twice, from the terminal and from npm; the second changes nothing.
process.on('SIGINT', () => stop.abort(130));
process.on('SIGTERM', () => stop.abort(143));
// Whoever reads the output may have seen enough.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

process.exitCode = await runUpload(process.argv.slice(2), {
  env: process.env,
  out: process.stdout,
  screen: process.stderr,
  stop: stop.signal,
});
