import { project, withServers } from './jest.config.js';

/** The tests of `npm run test:engines`: other servers than those of `npm test`, and many of them at once. */
export default {
  projects: [project('engines', withServers)],
  reporters: ['default', '<rootDir>/test/support/engines/report-promises.mjs'],
  testTimeout: 300_000,
  // A cluster needs both cores of a small machine.
  maxWorkers: 1,
  // A server whose start failed must not keep the run from ending.
  forceExit: true,
};
