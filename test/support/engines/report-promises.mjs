import { toTable } from '../jest/table.mjs';

/** What Jest's status of a test says about its promise. */
const VERDICTS = { passed: 'held', failed: 'FELL' };

/** Prints one table at the end of the run: each engine, what Muster promises on it, and whether that held. */
export default class PromiseReport {
  onRunComplete(_, { testResults }) {
    const rows = testResults.flatMap(rowsOf).sort(([one], [other]) => one.localeCompare(other));
    console.log(`\n${toTable([['engine', 'promise', 'result'], ...rows])}\n`);
  }
}

function rowsOf({ testResults, testFilePath, failureMessage }) {
  if (testResults.length === 0) return [[testFilePath, failureMessage?.split('\n')[0] ?? '', 'FELL']];
  return testResults.map(({ ancestorTitles: [engine, ...titles], title, status, duration }) => {
    const verdict = VERDICTS[status];
    const reason = verdict ? null : titles.shift();
    const promise = [...titles, title].join(' ');
    if (!verdict) return [engine, promise, `not run: ${reason ?? 'not selected'}`];
    return [engine, promise, verdict === 'held' ? `held (${Math.ceil(duration / 1_000)} s)` : verdict];
  });
}
