/** Returns what a command gets from this process. `stop` is aborted by Ctrl-C or SIGTERM; its reason is the exit code. */
export function processContext() {
  const stop = new AbortController();
  // Ctrl-C arrives twice if npm has started this process, from the terminal and from npm. The second has no effect.
  process.on('SIGINT', () => stop.abort(130));
  process.on('SIGTERM', () => stop.abort(143));
  // The reader of the output, such as `head`, may close it early.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  return { env: process.env, out: process.stdout, err: process.stderr, stop: stop.signal };
}
