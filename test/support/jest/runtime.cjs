const { register } = require('node:module');
const { pathToFileURL } = require('node:url');
const { setFlagsFromString } = require('node:v8');
const { default: Runtime } = require('jest-runtime');

register(pathToFileURL(require.resolve('./modules.mjs')));
// V8 optimizes functions later: much of what tests run ends too soon to gain what that takes, about a tenth of the CPU time.
setFlagsFromString('--interrupt-budget=500000');

let files = 0;

/**
 * Loads test files with Node's module loader. Jest's own loads every package again for each test file, 1 to 3 s each,
 * and runs all code in a sandbox, where it takes about twice the time.
 */
class NodeRuntime extends Runtime {
  #globals;
  #query = `?test-file=${++files}`;

  setGlobalsForRuntime(globals) {
    super.setGlobalsForRuntime(globals);
    this.#globals = globals;
  }

  /** Loads jest-circus again for each test file: it keeps the file's tests in module and global variables. */
  requireInternalModule(path) {
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    delete require.cache[path];
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    const jest = this.jestGlobals.jestObjectFor(path);
    globalThis[Symbol.for('muster.jest-globals')] = { ...this.#globals, jest };
    await import(pathToFileURL(path) + this.#query);
  }
}

module.exports = { __esModule: true, default: NodeRuntime };
