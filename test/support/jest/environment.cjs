const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { countOpenResources, findLeftOpen } = require('./open-resources.cjs');

/** Projects whose tests wait for whole programs. In continuous integration, a failed test of theirs runs once more. */
const RUN_AGAIN = ['browser', 'faults'];
/** What `jest.retryTimes` sets for a file. */
const RETRIES = { RETRY_TIMES: '1', LOG_ERRORS_BEFORE_RETRY: true };

/** Jest's global scope for a test file is that of the worker process, because each access to a sandbox's globals is slow. */
class ProcessEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern;
  #before = { console, exit: process.exit, env: { ...process.env } };
  #open;
  #failed = false;
  #runsAgain;

  constructor({ projectConfig }) {
    this.#runsAgain = Boolean(process.env.CI) && RUN_AGAIN.includes(projectConfig.displayName?.name);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    this.#open = countOpenResources();
    if (!this.#runsAgain) return;
    // A machine shared with other jobs can be too slow for a step. What fails only once is printed too.
    for (const [name, value] of Object.entries(RETRIES)) globalThis[Symbol.for(name)] = value;
  }

  async handleTestEvent({ name, test, error }, state) {
    if (name === 'test_fn_failure') await addDescription(error);
    if (name === 'test_done') {
      this.#failed ||= test.errors.length > 0;
      for (const error of test.errors.flat()) shortenStack(error);
    }
    // A failed test often ends before it closes what it opened.
    if (name === 'run_finish' && !this.#failed) state.unhandledErrors.push(...(await this.#leaks()));
  }

  /** Fails a test file that leaves sockets, servers, processes or timers open: they would disturb the next one. */
  async #leaks() {
    const leftOpen = await findLeftOpen(this.#open);
    if (leftOpen.length === 0) return [];
    const error = new Error(
      `The test file left open: ${leftOpen.join(', ')}. Close them in afterEach or afterAll.`,
    );
    error.stack = error.message;
    return [error];
  }

  /** Restores what Jest or a test changed, for the next test file in this process. */
  async teardown() {
    this.fakeTimersModern.dispose();
    for (const name of Object.keys(RETRIES)) delete globalThis[Symbol.for(name)];
    const { console, exit, env } = this.#before;
    globalThis.console = console;
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}

/** Adds what the test was looking at to its error, while it is still open: a failure elsewhere is seldom repeatable. */
async function addDescription(error) {
  const describe = globalThis[Symbol.for('muster.describe-failure')];
  if (!describe || typeof error?.stack !== 'string') return;
  const description = await describe().catch((failure) => `(no description: ${failure.message})`);
  error.stack = error.stack.replace(error.message, () => `${error.message}\n\n${description}\n`);
}

/** Replaces addresses such as `file:///x.ts?test-file=3` with paths, which Jest prints relative to the project. */
function shortenStack(error) {
  if (typeof error?.stack !== 'string') return;
  error.stack = error.stack.replace(/file:\/\/([^\s?]+)\?test-file=\d+/g, '$1');
}

module.exports = { __esModule: true, default: ProcessEnvironment };
