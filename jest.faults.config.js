import everything, { project, withServers } from './jest.config.js';

/** The tests of `npm run test:faults`: those of `npm test`, with a table of what they measured. */
export default {
  ...everything,
  projects: [project('faults', withServers)],
  reporters: ['default', '<rootDir>/test/support/faults/report-faults.mjs'],
};
