import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../../scripts/find-chromium.js';

/** Nothing of its own goes to the network, and nothing needs a screen or rights that a test machine has not. */
const args = [
  '--headless',
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Chromium as the tests run it. It is steered through a pipe, and ends when that does: with this process. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('There is no Chromium here: the set-up before npm test installs it.');
  return chromium.launch({ executablePath, args });
}
