import { spawn } from 'node:child_process';
import { asRunning } from '../processes/running.js';
import type { Service } from '../processes/supervisor.js';

/** The TypeScript compiler and Vite's development server, which follow the sources. They write to the terminal. */
export function compilers(apiAddress: string): [server: Service, console: Service] {
  return [
    compiler('compiler', [
      'typescript/bin/tsc',
      '-p',
      'tsconfig.build.json',
      '--watch',
      '--preserveWatchOutput',
    ]),
    compiler(
      'console',
      ['vite/bin/vite.js', '--config', 'api/console/vite.config.ts', '--clearScreen', 'false'],
      {
        MUSTER_ADDRESS: apiAddress,
      },
    ),
  ];
}

function compiler(
  name: string,
  [program, ...args]: [string, ...string[]],
  env: NodeJS.ProcessEnv = {},
): Service {
  return {
    name,
    graceMs: 2_000,
    start: async () => {
      const child = spawn(process.execPath, [`node_modules/${program}`, ...args], {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      return asRunning(child, '');
    },
  };
}
