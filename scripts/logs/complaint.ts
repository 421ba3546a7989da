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
  pino: (line) => (line.startsWith('{') ? fromPino(line) : fromCrash(line)),
  mariadb: (line) => /\[ERROR\] (.*)/.exec(line)?.[1],
  // Redis marks greetings, farewells and advice to administrators as warnings too.
  redis: (line) => /^\d+:\w .* # (?!WARNING)(.*(?:error|fail|fatal|can't|cannot|bad ).*)/i.exec(line)?.[1],
};

/** https://github.com/pinojs/pino/blob/main/docs/api.md#loggerlevel-string-gettersetter: 40 is warn. */
function fromPino(line: string): string | undefined {
  try {
    const { level, msg, err } = JSON.parse(line) as {
      level: number;
      msg?: string;
      err?: { message?: string };
    };
    if (!(level >= 40)) return undefined;
    return [msg, err?.message].filter((part, at, all) => part && all.indexOf(part) === at).join(': ');
  } catch {
    return undefined;
  }
}

/** Of what Node prints of an uncaught error, the line that says what it was. */
function fromCrash(line: string): string | undefined {
  return /^(Uncaught )?[\w$.]*(Error|Exception)\b.*:/.test(line) || line.startsWith('FATAL ERROR')
    ? line
    : undefined;
}
