import { parseArgs } from 'node:util';
import { run } from 'jest';

const USAGE = `Usage: npm run test:faults -- [--long] [FILE ...]

Runs the fault tests and prints what they measured: each fault, how often it was provoked, and what was lost.
  --long   provokes each kind of kill 20 times and more; takes an hour or more
  FILE     a test file or a part of its name; default: all`;

/** @throws TypeError that names an unknown option */
function readArguments() {
  const options = { long: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } };
  return parseArgs({ options, allowPositionals: true });
}

async function main() {
  const { values, positionals } = readArguments();
  if (values.help) return void console.log(USAGE);
  if (values.long) process.env.TEST_FAULTS = 'long';
  // One file at a time in the long form, for figures that depend on the fault and not on the other files.
  const workers = values.long ? ['--maxWorkers', '1'] : [];
  await run(['--config', 'jest.faults.config.js', ...workers, ...positionals]);
}

main().catch((error) => {
  console.error(error.code?.startsWith('ERR_PARSE_ARGS') ? `${error.message}\n\n${USAGE}` : error);
  process.exitCode = 1;
});
