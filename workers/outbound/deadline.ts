import { OutboundError } from './outbound-error.js';

/** Runs work that must end within a time, and tells it by a signal when the time is over. @throws OutboundError `timeout` */
export function withDeadline<Result>(
  timeoutMs: number,
  host: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const signal = AbortSignal.timeout(timeoutMs);
  const late = new Promise<never>((_, reject) => {
    const error = () =>
      reject(new OutboundError('timeout', `${host} did not respond within ${timeoutMs / 1_000} s.`));
    signal.addEventListener('abort', error, { once: true });
  });
  return Promise.race([work(signal), late]);
}
