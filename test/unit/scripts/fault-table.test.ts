import { execFile } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, jest, test } from '@jest/globals';

const reporter = new URL('../../support/faults/report-faults.mjs', import.meta.url);
const { default: FaultReport, COLUMNS } = await import(reporter.href);

const program = resolve('test/support/faults/run-faults.mjs');
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
    { fault: 'overload', times: 1, longestMs: 7 },
  ];
  for (const row of rows) appendFileSync(process.env.FAULT_FIGURES as string, `${JSON.stringify(row)}\n`);
  const testResults = [
    { testFilePath: 'a.test.ts', testResults: [{ status: 'failed', fullName: 'nothing is lost' }] },
    { testFilePath: 'b.test.ts', testResults: [], failureMessage: 'SyntaxError' },
  ];
  report.onRunComplete(null, { testResults });
  const lines = String(print.mock.calls[0]?.[0]).trim().split('\n');
  expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
    COLUMNS,
    ['kill a', '1', 'rows', '1,200', '1,200', '0', '0', '–', '–'],
    ['kill b', '20', 'events', '1,200', '1,200', '0', '0', '1,200', '0.4'],
    ['overload', '1', '–', '–', '–', '–', '–', '7', '–'],
    ['FAILED: nothing is lost'],
    ['FAILED: b.test.ts'],
  ]);
});

test('a run with a failed test prints the table all the same, and exits with 1', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-fault-run-'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const config = {
    rootDir: folder,
    transform: {},
    testMatch: ['**/*.test.cjs'],
    reporters: [fileURLToPath(reporter)],
  };
  write('package.json', '{ "type": "module" }');
  write('jest.faults.config.js', `export default ${JSON.stringify(config)};`);
  const row = { fault: 'kill a', times: 2, unit: 'rows', acknowledged: 3, stored: 2, lost: 1, doubled: 0 };
  write(
    'lossy.test.cjs',
    `test('nothing is lost', () => {
      require('node:fs').appendFileSync(process.env.FAULT_FIGURES, ${JSON.stringify(`${JSON.stringify(row)}\n`)});
      throw new Error('a row is lost');
    });`,
  );
  const { NODE_OPTIONS, FAULT_FIGURES, ...env } = process.env;
  const run = promisify(execFile)(process.execPath, [program], { cwd: folder, env });
  await expect(run).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^kill a +2 +rows +3 +2 +1 +0 .*\nFAILED: nothing is lost$/m),
  });
  rmSync(folder, { recursive: true });
});

test('an unknown option is named, and the usage follows', async () => {
  const run = promisify(execFile)(process.execPath, [program, '--lon']);
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/'--lon'[\s\S]*Usage: npm run test:faults/),
  });
});
