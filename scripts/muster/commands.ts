import { runUpload } from '../upload/run.js';
import { runCheck } from './check/run.js';
import type { Command } from './run.js';
import { printSchema } from './schema.js';
import { serverCommands } from './server/commands.js';

/** The commands that need nothing but this program. */
export const commands: Readonly<Record<string, Command>> = {
  check: { summary: 'checks files and the samples of integrations, without a server', run: runCheck },
  schema: { summary: 'prints the JSON Schema of a kind of files', run: printSchema },
  ...serverCommands,
  upload: { summary: 'uploads a CSV file of identities', run: runUpload },
};
