import { expect, test } from '@jest/globals';
import { help, readCommandLine } from '../../../scripts/bench/command-line.js';

const known = ['import-fresh', 'import-again', 'export', 'page', 'mapping', 'drain'];

test('without a name all benchmarks run, three times each', () => {
  expect(readCommandLine([], known)).toEqual({ names: known, json: false, runs: 3, stored: 5_000_000 });
  expect(readCommandLine(['page', '--rows', '1000', '--runs', '1', '--json'], known)).toEqual({
    names: ['page'],
    json: true,
    rows: 1_000,
    runs: 1,
    stored: 5_000_000,
  });
});

test('help names every benchmark', () => {
  expect(readCommandLine(['page', '--help'], known)).toBeNull();
  for (const name of known) expect(help(known)).toContain(name);
});

test.each([
  [['pages'], /^Unknown benchmark pages$/],
  [['--rows', '1e6'], /^--rows must be an integer .*, not 1e6$/],
  [['--runs', '0'], /^--runs must be an integer .*, not 0$/],
  [['--stored', '-'], /^--stored must be an integer .*, not -$/],
  [['--fast'], /^Unknown option '--fast'$/],
])('reports a wrong command line: %j', (args, message) => {
  expect(() => readCommandLine(args, known)).toThrow(message);
});
