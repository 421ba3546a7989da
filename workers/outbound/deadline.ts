import { OutboundError } from './outbound-error.js';

/**
 * Runs work that must end within a time, and tells it by a signal when the time is over.
 * @param stopped ends it before
 * @throws OutboundError `timeout`, or the reason of `stopped`
 */
export function withDeadline<Result>(
  timeoutMs: number,
  host: string,
  work: (signal: AbortSignal) => Promise<Result>,
  stopped?: AbortSignal,
): Promise<Result> {
  const over = new AbortController();
  return new Promise((resolve, reject) => {
    const end = (error: unknown) => {
      reject(error);
      over.abort(error);
    };
    // Not AbortSignal.timeout: each would be kept until its time is over.
    const timer = setTimeout(
      () => end(new OutboundError('timeout', `${host} did not respond within ${timeoutMs / 1_000} s.`)),
      timeoutMs,
    );
    const stop = () => end(stopped?.reason);
    stopped?.addEventListener('abort', stop);
    if (stopped?.aborted) stop();
    work(over.signal)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
        stopped?.removeEventListener('abort', stop);
      });
  });
}
