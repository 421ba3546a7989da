import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sequencer from '@jest/test-sequencer';

/** Seconds that the slow test files take on two idle cores, by path. Files that are not listed take less than 5 s. */
const secondsOf = JSON.parse(readFileSync(new URL('slow-files.json', import.meta.url), 'utf8'));
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
