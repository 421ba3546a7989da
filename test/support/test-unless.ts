import { relative } from 'node:path';
import { expect, test } from '@jest/globals';

/** What was said already, so that each reason is given once in a file. */
const said = new Set<string>();

/**
 * Returns `test`, or what skips a test and says why on stderr. Jest itself prints nothing of a file whose tests are all skipped.
 * @param reason why the test cannot run here, in plain English; null if it can
 */
export function testUnless(reason: string | null): typeof test | typeof test.skip {
  if (reason === null) return test;
  if (!said.has(reason)) process.stderr.write(`${relative('.', thisFile())} skipped: ${reason}\n`);
  said.add(reason);
  return test.skip;
}

const thisFile = (): string => expect.getState().testPath ?? '';
