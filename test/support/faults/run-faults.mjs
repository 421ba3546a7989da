import { parseArgs } from 'node:util';
import { run } from 'jest';

const USAGE = `Usage: npm run test:faults -- [--long] [FILE ...]

Runs the fault tests and prints what they measured: each fault, how often it was provoked, and what was lost.
  --long   provokes each kind of kill 20 times and more; takes almost two hours on two cores
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
  await run(['--config', 'jest.faults.config.js', ...positionals]);
}

main().catch((error) => {
  console.error(error.code?.startsWith('ERR_PARSE_ARGS') ? `${error.message}\n\n${USAGE}` : error);
  process.exitCode = 1;
});
