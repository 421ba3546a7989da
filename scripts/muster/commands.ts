import { integrationFileSchema } from '../../api/routes/integrations/json-schema.js';
import { parseCommandLine } from '../text/command-line.js';
import { runUpload } from '../upload/run.js';
import { runCheck } from './check/run.js';
import type { Command } from './run.js';
import { serverCommands } from './server/commands.js';

const SCHEMA_HELP = `
Usage: muster schema

Prints the JSON Schema of an integration file, for editors. A server has it at /schemas/integration.json.
`.trim();

/** The commands that need nothing but this program. */
export const commands: Readonly<Record<string, Command>> = {
  check: { summary: 'checks files of integrations and their samples, without a server', run: runCheck },
  schema: {
    summary: 'prints the JSON Schema of an integration file',
    run: async (args, { out }) => {
      const { values } = parseCommandLine({
        args: [...args],
        options: { help: { type: 'boolean', short: 'h' } },
      });
      out.write(`${values.help ? SCHEMA_HELP : JSON.stringify(integrationFileSchema(), null, 2)}\n`);
      return 0;
    },
  },
  ...serverCommands,
  upload: { summary: 'uploads a CSV file of identities', run: runUpload },
};
