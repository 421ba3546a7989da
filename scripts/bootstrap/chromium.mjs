import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { programsStep } from './programs.mjs';

/** Finds the browser for the tests of the console, or installs it if that needs no password. */
export function chromiumStep(root) {
  const step = programsStep({
    label: 'Installing Chromium, for the tests of the console',
    findMissing: async () => {
      const { findChromium } = await import(pathToFileURL(join(root, 'dist/scripts/find-chromium.js')).href);
      return findChromium() ? [] : ['chromium'];
    },
    describe: () => 'The tests of the console need Chromium or Chrome',
    otherwise: 'Install one, or set CHROMIUM_PATH to one that you have.',
  });
  return { ...step, without: 'Without it the tests of the console fail; all others run.' };
}
