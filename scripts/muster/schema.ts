import { FILE_SCHEMAS } from '../../api/routes/by-name/file-schemas.js';
import { toFileSchema } from '../../api/routes/by-name/json-schema.js';
import { parseCommandLine, UsageError } from '../text/command-line.js';
import type { MusterContext } from './context.js';

const NAMES = FILE_SCHEMAS.map(({ one }) => one).join(', ');

const HELP = `
Usage: muster schema [KIND]

Prints the JSON Schema of a kind of files, for editors: ${NAMES}. Default: integration.
A server has it at /schemas/KIND.json.
`.trim();

/**
 * Runs `muster schema`.
 * @returns the exit code
 * @throws UsageError
 */
export async function printSchema(args: readonly string[], { out }: MusterContext): Promise<number> {
  const options = { help: { type: 'boolean', short: 'h' } } as const;
  const { values, positionals } = parseCommandLine({ args: [...args], allowPositionals: true, options });
  const [given = 'integration', ...more] = positionals;
  const found = FILE_SCHEMAS.find(({ one }) => one === given);
  if (values.help) out.write(`${HELP}\n`);
  else if (found === undefined || more.length > 0)
    throw new UsageError(`Name one of ${NAMES}, not ${positionals.join(' ')}`);
  else out.write(`${JSON.stringify(toFileSchema(found.file), null, 2)}\n`);
  return 0;
}
