import { parseArgs } from 'node:util';

/** The command line cannot be carried out. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export interface Wish {
  names: string[];
  json: boolean;
  /** Rows to work on; without it, as many as each benchmark has by default. */
  rows?: number;
  runs: number;
}

/** How the command is used. @param known the names of all benchmarks */
export const help = (known: readonly string[]): string =>
  `
Usage: npm run bench -- [NAME ...] [options]

Measures Muster and, in the same run, the lowest cost that the task can have (its floor). Each benchmark runs on
throw-away servers, and a whole run takes many minutes. Without NAME, all of them run.

  --rows N   rows or events to work on, instead of each benchmark's own number
  --runs N   how many times each side is measured (default: 3)
  --json     one line of JSON for each benchmark
  --help

Benchmarks: ${known.slice(0, 5).join(', ')},
            ${known.slice(5).join(', ')}

Exit code: 0 all were measured, 1 one failed, 2 the command line is wrong.
`.trim();

/**
 * Reads the arguments.
 * @returns null if help is asked for
 * @throws UsageError
 */
export function readCommandLine(args: readonly string[], known: readonly string[]): Wish | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new UsageError(`Unknown benchmark ${unknown.join(', ')}`);
  return {
    names: positionals.length > 0 ? positionals : [...known],
    json: values.json ?? false,
    ...(values.rows === undefined ? {} : { rows: countOf('--rows', values.rows) }),
    runs: countOf('--runs', values.runs ?? '3'),
  };
}

function parse(args: readonly string[]) {
  const options = {
    json: { type: 'boolean' },
    rows: { type: 'string' },
    runs: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    // Node's message continues with advice for another situation.
    const [reason = ''] = (error as Error).message.split(/\. |\n/);
    throw new UsageError(reason);
  }
}

function countOf(option: string, value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new UsageError(`${option} must be an integer from 1 to 999,999,999, not ${value}`);
}
