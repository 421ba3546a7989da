import { parseCommandLine, UsageError } from '../text/command-line.js';

export interface Options {
  names: string[];
  json: boolean;
  /** Rows to process; by default each benchmark decides. */
  rows?: number;
  runs: number;
  /** Events and alerts that are stored before. */
  stored: number;
}

const NAMES_IN_LINE = 6;

/** Returns the names, a few in each line. */
const linesOf = (names: readonly string[]): string[] =>
  Array.from({ length: Math.ceil(names.length / NAMES_IN_LINE) }, (_, line) =>
    names.slice(line * NAMES_IN_LINE, (line + 1) * NAMES_IN_LINE).join(', '),
  );

/** @param known the names of all benchmarks */
export const help = (known: readonly string[]): string =>
  `
Usage: npm run bench -- [NAME ...] [options]

Measures Muster and, in the same run, the lowest possible cost of the task (the floor). Each benchmark runs on temporary
servers, and a complete run takes many minutes. Without NAME, all benchmarks run.

  --rows N   rows or events to process (default: depends on the benchmark)
  --runs N   how many times each side is measured (default: 3)
  --stored N events and alerts stored before drain-full (default: 5,000,000)
  --json     print one line of JSON for each benchmark
  --help     print this help

Benchmarks: ${linesOf(known).join(',\n            ')}

import-growth imports files of a tenth, a half and all of its rows, 10,000,000 by default. One run takes about 10 minutes and
15 GB of disk. drain-full takes 1 GB of disk and 1 to 2 minutes for each million of events stored, list-alerts 0.6 GB and about a minute for
each million of alerts. console opens each page of the console in Chromium, with 100,000 alerts, and takes about 3 minutes. start
installs Muster's packages from the registry into a temporary folder, twice in each run. Benchmarks of deliveries send to a receiver on
this machine.

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
    stored: countOf('--stored', values.stored ?? '5000000'),
  };
}

function parse(args: readonly string[]) {
  const options = {
    json: { type: 'boolean' },
    rows: { type: 'string' },
    runs: { type: 'string' },
    stored: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  return parseCommandLine({ args: [...args], allowPositionals: true, options });
}

function countOf(option: string, value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new UsageError(`${option} must be an integer from 1 to 999,999,999, not ${value}`);
}
