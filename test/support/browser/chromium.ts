import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../../scripts/find-chromium.js';

/**
 * No background network traffic, and no need for a display or for privileges that a test machine may lack. A page of a test is
 * open for a second or two: V8's other threads, which collect garbage and compile, take a fifth of its CPU time and gain it nothing.
 */
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
  '--js-flags=--single-threaded',
];

/** Starts Chromium for the tests. It is controlled through a pipe and exits when this process ends and closes the pipe. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('Chromium not found. The setup before npm test installs it.');
  return chromium.launch({ executablePath, args });
}
