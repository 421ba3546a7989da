import { complaintIn, type LogStyle } from '../logs/complaint.js';
import type { SupervisorEvents } from '../processes/supervisor.js';

/** One line to whoever started it. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs a step of the start and says afterwards how long it took, in seconds. */
export async function timed<Result>(step: string, work: () => Promise<Result>): Promise<Result> {
  const started = performance.now();
  const result = await work();
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  say(`  ${step.padEnd(32)} ${seconds.padStart(5)} s`);
  return result;
}

/** What the terminal shows of deaths and returns. */
export const supervisorEvents: SupervisorEvents = {
  died: (name, reason, delayMs) =>
    say(`${name} ended (${reason}); it is started again${delayMs > 0 ? ` in ${delayMs / 1_000} s` : ''}`),
  waits: (name, reason, why) => say(`${name} ended (${reason}); ${why}`),
  back: (name, pid) => say(`${name} runs again, as process ${pid}`),
};

/**
 * Shows a log's warnings and errors, at most five in five seconds: when a server is away there may be one a request.
 * All are in the file.
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
