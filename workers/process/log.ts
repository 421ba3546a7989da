import { type Logger, pino } from 'pino';
import { LogSink } from './log-sink.js';

const STDOUT = 1;
const sinks: LogSink[] = [];

/** Returns the number of log lines that this process could not write. */
export const droppedLogLines = (): number => sinks.reduce((total, sink) => total + sink.droppedLines, 0);

/**
 * Opens the log of a process: JSON lines on standard output. Logging never blocks and never fails; lines that cannot be
 * written are counted, and one line reports their number once the log can be written again.
 */
export function createLog(name: string, level: string): Logger {
  const sink = new LogSink(STDOUT, ({ lines, code }) => {
    log.warn({ dropped: lines, code }, 'log lines were dropped because the log could not be written');
  });
  const log = pino({ name, level }, sink);
  sinks.push(sink);
  process.on('exit', () => sink.flushOnExit());
  // What Node itself prints goes to the same full disk, and an `error` event without a listener ends the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return log;
}
