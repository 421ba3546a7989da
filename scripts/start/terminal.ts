import { complaintIn, type LogStyle } from '../logs/complaint.js';
import type { SupervisorEvents } from '../processes/supervisor.js';

/** Prints a line to the terminal. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs a step of the start, then prints how long it took, in seconds. */
export async function timed<Result>(step: string, work: () => Promise<Result>): Promise<Result> {
  const started = performance.now();
  const result = await work();
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  say(`  ${step.padEnd(32)} ${seconds.padStart(5)} s`);
  return result;
}

/** Prints when a service exits and when it is running again. */
export const supervisorEvents: SupervisorEvents = {
  died: (name, reason, delayMs) =>
    say(`${name} exited (${reason}); restarting${delayMs > 0 ? ` in ${delayMs / 1_000} s` : ''}`),
  waits: (name, reason, why) => say(`${name} exited (${reason}); ${why}`),
  back: (name, pid) => say(`${name} is running again as process ${pid}`),
};

/**
 * Returns a function that prints the warnings and errors of a log, at most five in five seconds: while a server is unavailable
 * there may be one for each request. The file contains all of them.
 */
export function complaintPrinter(name: string, style: LogStyle): (line: string) => void {
  let shown = 0;
  let since = 0;
  return (line) => {
    const complaint = complaintIn(line, style);
    if (complaint === undefined) return;
    if (Date.now() - since > 5_000) [shown, since] = [0, Date.now()];
    shown += 1;
    if (shown <= 5) say(`${name}: ${complaint}`);
    if (shown === 6) say(`${name}: ... and more, see its log`);
  };
}
