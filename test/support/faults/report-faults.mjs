import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toTable } from '../jest/table.mjs';

/** The columns of the table. */
export const COLUMNS = [
  'fault',
  'times',
  'unit',
  'acknowledged',
  'stored',
  'lost',
  'doubled',
  'longest response (ms)',
  'recovery (s)',
];

/** Prints one table at the end of the run: each fault and what the tests measured. Failed tests follow below it. */
export default class FaultReport {
  #folder = mkdtempSync(join(tmpdir(), 'muster-fault-figures-'));
  #figures = join(this.#folder, 'figures.jsonl');

  /** Test files append to this file, each in a process of its own. */
  onRunStart() {
    writeFileSync(this.#figures, '');
    process.env.FAULT_FIGURES = this.#figures;
  }

  onRunComplete(_, { testResults }) {
    const lines = readFileSync(this.#figures, 'utf8').split('\n').filter(Boolean);
    rmSync(this.#folder, { recursive: true });
    const rows = lines
      .map((line) => rowOf(JSON.parse(line)))
      .sort(([one], [other]) => one.localeCompare(other));
    console.log(`\n${toTable([COLUMNS, ...rows])}\n${failed(testResults)}`);
  }
}

const count = (number) => (number === undefined ? '–' : number.toLocaleString('en'));
const seconds = (number) => (number === undefined ? '–' : number.toFixed(1));

function rowOf({ fault, times, unit, acknowledged, stored, lost, doubled, longestMs, recoverySeconds }) {
  const counts = [acknowledged, stored, lost, doubled].map(count);
  const longest = longestMs === undefined ? undefined : Math.ceil(longestMs);
  return [fault, count(times), unit ?? '–', ...counts, count(longest), seconds(recoverySeconds)];
}

/** Returns a line for each failed test and for each file that could not run. */
function failed(testResults) {
  return testResults
    .flatMap(({ testResults: tests, testFilePath, failureMessage }) => {
      const titles = tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
      return tests.length === 0 && failureMessage ? [testFilePath] : titles;
    })
    .map((title) => `FAILED: ${title}\n`)
    .join('');
}
