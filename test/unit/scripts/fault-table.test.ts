import { execFile } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterEach, expect, jest, test } from '@jest/globals';

const reporter = new URL('../../support/faults/report-faults.mjs', import.meta.url);
const { default: FaultReport } = await import(reporter.href);

const before = process.env.FAULT_FIGURES;
afterEach(() => {
  jest.restoreAllMocks();
  process.env.FAULT_FIGURES = before;
  if (before === undefined) delete process.env.FAULT_FIGURES;
});

test('the table has a row for each fault, a dash for what was not measured, and the failed tests', () => {
  const print = jest.spyOn(console, 'log').mockImplementation(() => {});
  const report = new FaultReport();
  report.onRunStart();
  const balance = { acknowledged: 1_200, stored: 1_200, lost: 0, doubled: 0 };
  const rows = [
    { fault: 'kill b', times: 20, unit: 'events', ...balance, longestMs: 1_199.2, recoverySeconds: 0.44 },
    { fault: 'kill a', times: 1, unit: 'rows', ...balance },
  ];
  for (const row of rows) appendFileSync(process.env.FAULT_FIGURES as string, `${JSON.stringify(row)}\n`);
  const testResults = [
    { testFilePath: 'a.test.ts', testResults: [{ status: 'failed', fullName: 'nothing is lost' }] },
    { testFilePath: 'b.test.ts', testResults: [], failureMessage: 'SyntaxError' },
  ];
  report.onRunComplete(null, { testResults });
  const lines = String(print.mock.calls[0]?.[0]).trim().split('\n');
  expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
    [
      'fault',
      'times',
      'unit',
      'acknowledged',
      'stored',
      'lost',
      'doubled',
      'longest response (ms)',
      'recovery (s)',
    ],
    ['kill a', '1', 'rows', '1,200', '1,200', '0', '0', '–', '–'],
    ['kill b', '20', 'events', '1,200', '1,200', '0', '0', '1,200', '0.4'],
    ['FAILED: nothing is lost'],
    ['FAILED: b.test.ts'],
  ]);
});

test('an unknown option is named, and the usage follows', async () => {
  const run = promisify(execFile)(process.execPath, ['test/support/faults/run-faults.mjs', '--lon']);
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/'--lon'[\s\S]*Usage: npm run test:faults/),
  });
});
