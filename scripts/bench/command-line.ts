import { parseCommandLine, UsageError } from '../text/command-line.js';

export interface Options {
  names: string[];
  json: boolean;
  /** Rows to process; by default each benchmark decides. */
  rows?: number;
  runs: number;
}

/** @param known the names of all benchmarks */
export const help = (known: readonly string[]): string =>
  `
Usage: npm run bench -- [NAME ...] [options]

Measures Muster and, in the same run, the lowest possible cost of the task (the floor). Each benchmark runs on temporary
servers, and a complete run takes many minutes. Without NAME, all benchmarks run.

  --rows N   rows or events to process (default: depends on the benchmark)
  --runs N   how many times each side is measured (default: 3)
  --json     print one line of JSON for each benchmark
  --help     print this help

Benchmarks: ${known.slice(0, 5).join(', ')},
            ${known.slice(5).join(', ')}

Exit codes: 0 all benchmarks finished, 1 a benchmark failed, 2 the command line is invalid.
`.trim();

/**
 * Reads the arguments.
 * @returns null if help is requested
 * @throws UsageError
 */
export function readCommandLine(args: readonly string[], known: readonly string[]): Options | null {
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
  return parseCommandLine({ args: [...args], allowPositionals: true, options });
}

function countOf(option: string, value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new UsageError(`${option} must be an integer from 1 to 999,999,999, not ${value}`);
}
