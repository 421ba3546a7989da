import { commands } from '../../../scripts/muster/commands.js';
import { runMuster } from '../../../scripts/muster/run.js';

/** Runs a command line of `muster` in this process. */
export async function muster(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const written = { out: '', err: '' };
  const into = (name: 'out' | 'err') => ({
    write: (text: string) => {
      written[name] += text;
      return true;
    },
  });
  const context = {
    env: {},
    out: into('out'),
    err: into('err'),
    stop: new AbortController().signal,
    pathOf: (path: string) => path,
  };
  const code = await runMuster(args, context, commands);
  return { code, ...written };
}
