const { ModuleMocker } = require('jest-mock');

/** Jest's global scope for a test file is that of the worker process, because each access to a sandbox's globals is slow. */
class ProcessEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern = null;
  #before = { console, exit: process.exit, env: { ...process.env } };

  async setup() {}

  handleTestEvent({ name, test }) {
    if (name === 'test_done') for (const error of test.errors.flat()) shortenStack(error);
  }

  /** Restores what Jest or a test changed, for the next test file in this process. */
  async teardown() {
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

/** Replaces addresses such as `file:///x.ts?test-file=3` with paths, which Jest prints relative to the project. */
function shortenStack(error) {
  if (typeof error?.stack !== 'string') return;
  error.stack = error.stack.replace(/file:\/\/([^\s?]+)\?test-file=\d+/g, '$1');
}

module.exports = { __esModule: true, default: ProcessEnvironment };
