import { runDoctor } from './doctor/run.js';
import { runKeys } from './keys/run.js';
import { commands } from './muster/commands.js';
import { runProcess } from './muster/process.js';

/** `npm run muster`: all commands, in a checkout. */
await runProcess({
  ...commands,
  keys: { summary: 'lists, creates and revokes API keys', run: runKeys },
  doctor: {
    summary: 'checks a deployment and says what to do',
    // A frozen server may keep its connections open.
    run: async (args, context) => {
      const code = await runDoctor(args, context);
      process.stdout.write('', () => process.exit(code));
      return code;
    },
  },
});
