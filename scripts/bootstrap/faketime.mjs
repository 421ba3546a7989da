import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { programsStep } from './programs.mjs';

/** Finds libfaketime, which sets the clocks of single processes, or installs it if that needs no password. */
export function faketimeStep(root) {
  const step = programsStep({
    label: 'Installing libfaketime, for the tests with wrong clocks',
    findMissing: async () => {
      const { findFaketime } = await import(pathToFileURL(join(root, 'dist/scripts/find-faketime.js')).href);
      return findFaketime() ? [] : ['faketime'];
    },
    describe: () => 'The tests with wrong clocks need libfaketime',
    otherwise: 'Linux distributions have it as a package.',
  });
  return { ...step, without: 'Without it the tests with wrong clocks are skipped.' };
}
