import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sequencer from '@jest/test-sequencer';

/** Seconds that the slow test files take on two cores, by path: in a run of all tests, and in the long form of the fault tests. */
const FILES = process.env.TEST_FAULTS === 'long' ? 'slow-files-long.json' : 'slow-files.json';
/** Files that are not listed take less than 8 s, or in the long form less than the others. */
const secondsOf = JSON.parse(readFileSync(new URL(FILES, import.meta.url), 'utf8'));
const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Runs the slow test files first, so that no worker starts one when the others have nothing left to do. Jest knows
 * durations only from earlier runs on the same machine, and continuous integration has none.
 */
export default class SlowFilesFirst extends Sequencer {
  async sort(tests) {
    const seconds = ({ path }) => secondsOf[relative(root, path)] ?? 0;
    return (await super.sort(tests)).sort((one, other) => seconds(other) - seconds(one));
  }
}
