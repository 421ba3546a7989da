/** How a program marks what somebody should know. */
export type LogStyle = 'pino' | 'mariadb' | 'redis';

const longest = 300;

/**
 * What a line of a log complains of, in one line of text; `undefined` when it is only information.
 * @param style whose log it is
 */
export function complaintIn(line: string, style: LogStyle): string | undefined {
  const complaint = readers[style](line.trim());
  return complaint?.slice(0, longest);
}

const readers: Record<LogStyle, (line: string) => string | undefined> = {
  pino: (line) => (line.startsWith('{"') ? fromPino(line) : fromPlain(line)),
  mariadb: (line) => /\[ERROR\] (.*)/.exec(line)?.[1],
  // Redis marks greetings, farewells and advice to administrators as warnings too.
  redis: (line) => /^\d+:\w .* # (?!WARNING)(.*(?:error|fail|fatal|can't|cannot|bad ).*)/i.exec(line)?.[1],
};

/** Levels are numbers in pino's lines: 40 is a warning, and what is above is worse. */
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

/** What a program says outside of its log is why it ends; the frame that Node puts around that is left out. */
function fromPlain(line: string): string | undefined {
  const isFrame = /^(at |Node\.js v\d|file:\/\/|throw |[\^{}[\]]*$)/.test(line);
  return isFrame ? undefined : line;
}
