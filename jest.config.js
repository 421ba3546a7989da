/** Jest runs the TypeScript as it stands (swc strips the types); servers come up once, in globalSetup. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  globalSetup: '<rootDir>/test/support/servers/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/servers/global-teardown.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023', keepClassNames: true },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  maxWorkers: 2,
  workerIdleMemoryLimit: '400MB',
  testTimeout: 60_000,
};
