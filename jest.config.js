import { availableParallelism } from 'node:os';

/** What every project has: Jest runs the TypeScript sources in Node's module loader. */
const common = {
  rootDir: import.meta.dirname,
  testEnvironment: '<rootDir>/test/support/jest/environment.cjs',
  extensionsToTreatAsEsm: ['.ts'],
  injectGlobals: false,
  runtime: '<rootDir>/test/support/jest/runtime.cjs',
  transform: {},
};

export const project = (name, more) => ({
  ...common,
  displayName: name,
  roots: [`<rootDir>/test/${name}`],
  ...more,
});

/** The database and Redis of the run. Jest starts them once, however many projects name them. */
export const withServers = {
  globalSetup: '<rootDir>/test/support/jest/start-servers.mjs',
  globalTeardown: '<rootDir>/test/support/jest/stop-servers.mjs',
};

export default {
  projects: [
    project('unit'),
    project('integration', withServers),
    project('faults', withServers),
    project('browser', withServers),
  ],
  testSequencer: '<rootDir>/test/support/jest/slow-files-first.mjs',
  // More than `until` waits.
  testTimeout: 120_000,
  // `npm test` starts Jest with `--v8-pool-size=0`, which its workers inherit: without V8's threads, which compile and collect garbage
  // while tests run, they take a seventh less CPU time.
  // One more than there are cores, because tests also wait. A worker and its browser take up to 2 GB.
  maxWorkers: Math.min(availableParallelism() + 1, 6),
  // A new worker takes about 6 s of CPU until it has loaded and optimized what the old one had.
  workerIdleMemoryLimit: '1.5GB',
};
