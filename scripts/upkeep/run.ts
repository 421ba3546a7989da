import type { Database } from '../../db/client/connect.js';
import { readNow } from '../../db/client/now.js';
import { allowRefused, type Horizon, listHorizons } from '../../db/upkeep/horizons.js';
import { findStore } from '../keys/database-url.js';
import { onDatabase } from '../keys/on-database.js';
import { type CliContext, parseCommandLine, reportError } from '../text/command-line.js';
import { table } from '../text/table.js';

const help = `
Usage: npm run upkeep [-- --force]

Shows how far upkeep has removed what has expired, and what it refuses to remove. It uses the database of DATABASE_URL, with the
account of a worker, or else the private database of a running npm start (in DATA_DIR, default .data).

Upkeep refuses to remove much more than at its last turn: a setting may be mistaken, or all clocks wrong. That also happens when
a retention is lowered on purpose, and when no worker has run for more than a week.

  --force   allow the next turn what the last one refused. It runs within a minute. What it removes is lost.
  --help    print this help

Exit codes: 0 nothing is refused, or all of it is allowed now, 1 something is refused or the command failed,
2 the command line is invalid.
`.trim();

/**
 * Runs one command line.
 * @returns the exit code
 */
export async function runUpkeepCommand(args: readonly string[], context: CliContext): Promise<number> {
  const { env, out, err } = context;
  try {
    const options = {
      force: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    } as const;
    const { values } = parseCommandLine({ args: [...args], options });
    if (values.help) {
      out.write(`${help}\n`);
      return 0;
    }
    let code = 0;
    await onDatabase(findStore(env, 'worker'), async (database) => {
      code = await (values.force ? force(database, context) : show(database, context));
    });
    return code;
  } catch (error) {
    return reportError(error, 'npm run upkeep --', err);
  }
}

async function show(database: Database, { out, err }: CliContext): Promise<number> {
  const horizons = await listHorizons(database);
  out.write(`${table([HEADING, ...horizons.map(rowOf)]).join('\n')}\n`);
  err.write(`The database's time is ${moment(await readNow(database))}.\n`);
  if (!horizons.some(isRefused)) return 0;
  err.write('If its time and the settings of the workers are right, run npm run upkeep -- --force.\n');
  return 1;
}

async function force(database: Database, { err }: CliContext): Promise<number> {
  const allowed = await allowRefused(database);
  const texts = allowed.map(({ subject, refused }) => `${subject} to ${moment(refused)}`);
  err.write(
    texts.length > 0
      ? `Allowed for the next turn: ${texts.join(', ')}.\n`
      : 'Upkeep refuses nothing, so there is nothing to allow.\n',
  );
  return 0;
}

const HEADING = ['SUBJECT', 'REMOVED BEFORE', 'LAST TURN', 'REFUSED', 'ALLOWED'];

const rowOf = ({ subject, horizon, movedAt, refused, allowed }: Horizon): string[] => [
  subject,
  ...[subject === 'clock' ? null : horizon, movedAt, refused, allowed].map(moment),
];

const isRefused = ({ refused, allowed }: Horizon): boolean => refused !== null && allowed === null;

/** Formats a time in UTC, to the second. */
const moment = (time: Date | null): string =>
  time ? `${time.toISOString().slice(0, 19).replace('T', ' ')}Z` : '-';
