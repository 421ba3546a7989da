/** The log format of a program. */
export type LogStyle = 'pino' | 'mariadb' | 'redis';

const longest = 300;

/**
 * Returns the warning or error in a line of a log as one line of text, or undefined if the line is only information.
 * @param style the format of the log
 */
export function complaintIn(line: string, style: LogStyle): string | undefined {
  const complaint = readers[style](line.trim());
  return complaint?.slice(0, longest);
}

const readers: Record<LogStyle, (line: string) => string | undefined> = {
  pino: (line) => (line.startsWith('{"') ? fromPino(line) : fromPlain(line)),
  // The installer of MariaDB writes an error without time and tag. After the reason, servers write that they abort.
  mariadb: (line) => /(?:\[ERROR\]|^ERROR:) (?!(?:\[\S+\] )*Aborting$)(.*)/.exec(line)?.[1],
  // Redis also marks its start, its shutdown and advice to administrators as warnings.
  redis: (line) => /^\d+:\w [^#]* # (?!WARNING)(.*(?:error|fail|fatal|can't|cannot|bad ).*)/i.exec(line)?.[1],
};

/** Levels are numbers in pino's lines: 40 is a warning, higher levels are errors. */
function fromPino(line: string): string | undefined {
  try {
    const { level, time, pid, hostname, name, msg, ...facts } = JSON.parse(line);
    return level >= 40 ? [msg, ...Object.entries(facts).map(inWords)].join(' ') : undefined;
  } catch {
    return undefined;
  }
}

function inWords([name, fact]: [string, unknown]): string {
  return `${name}=${typeof fact === 'string' ? fact : JSON.stringify(fact)}`;
}

/** Returns a line that is not a log record, which usually says why the program exits. Skips the lines that Node prints around it. */
function fromPlain(line: string): string | undefined {
  const isFrame = /^(at |Node\.js v\d|file:\/\/|throw |[\^{}[\]]*$)/.test(line);
  return isFrame ? undefined : line;
}
