import type { DatabaseRole } from '../../db/access/grants.js';
import { counted } from '../../workers/text/quantities.js';
import { calledAs } from '../text/called-as.js';
import { type CliContext, parseCommandLine, reportError, UsageError } from '../text/command-line.js';
import { printable } from '../text/printable.js';
import { table } from '../text/table.js';
import type { Clock } from './clock.js';
import { checkDatabase } from './database/check-database.js';
import { checkFiles } from './files.js';
import { type Finding, failure, type Level, ok } from './finding.js';
import { checkOutbound } from './outbound.js';
import { withPrivateServices } from './private-services.js';
import { checkRedis } from './redis/check-redis.js';
import { invalidSettingsOf, readDoctorSettings } from './settings.js';

interface DoctorContext extends CliContext {
  /** Default: this host's. */
  clock?: Clock;
}

/**
 * Runs one command line.
 * @returns the exit code
 */
export async function runDoctor(args: readonly string[], context: DoctorContext): Promise<number> {
  const { env, out, err, clock = Date.now } = context;
  try {
    const options = readCommandLine(args);
    if (!options) {
      out.write(`${help}\n`);
      return 0;
    }
    const whole = withPrivateServices(options.role, env);
    const invalid = invalidSettingsOf(options.role, whole);
    const findings = invalid.length > 0 ? invalid.map(invalidSetting) : await checkAll(options, whole, clock);
    out.write(options.json ? asJson(options.role, findings) : asText(findings));
    if (invalid.length > 0) return 2;
    return worstLevel(findings) === 'failure' ? 1 : 0;
  } catch (error) {
    return reportError(error, calledAs('doctor', env), err);
  }
}

const invalidSetting = (error: string): Finding =>
  failure('settings', error, 'Correct it; nothing else was checked.');

/** All checks run at the same time, so that one frozen server delays the result by a few seconds at most. */
async function checkAll({ role }: Options, env: CliContext['env'], clock: Clock): Promise<Finding[]> {
  const settings = readDoctorSettings(role, env);
  const groups = await Promise.all([
    checkDatabase(settings, clock),
    checkRedis(settings, clock),
    checkFiles(settings),
    checkOutbound(settings),
  ]);
  return [ok('settings', `valid for ${role === 'api' ? 'the API' : 'a worker'}`), ...groups.flat()];
}

interface Options {
  role: DatabaseRole;
  json: boolean;
}

const help = `
Usage: npm run doctor [-- options]

Checks a deployment: settings, database, Redis, file store, workers, queues, mail server and proxy. Prints one line for
each check with what was found and what to do about it. Run it on a host of the API or of a worker, with the same environment variables. It
changes nothing; the small file that it writes to the file store and to DATA_DIR is deleted at once.

  --role api|worker   whose settings and database rights to check. Default: api
  --json              print one JSON document: { role, level, checks: [{ check, level, found, advice }] }
  --help              print this help

Exit codes: 0 no failure, 1 at least one failure, 2 the settings or the command line are invalid.
`.trim();

/**
 * Reads the arguments.
 * @returns null if help is requested
 * @throws UsageError
 */
function readCommandLine(args: readonly string[]): Options | null {
  const options = {
    role: { type: 'string', default: 'api' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values } = parseCommandLine({ args: [...args], options });
  if (values.help) return null;
  const { role, json } = values;
  if (role !== 'api' && role !== 'worker') throw new UsageError(`--role must be api or worker, not ${role}`);
  return { role, json };
}

const LEVELS: readonly Level[] = ['ok', 'warning', 'failure'];

const countOf = (findings: readonly Finding[], level: Level): number =>
  findings.filter((finding) => finding.level === level).length;

/** Returns the worst level. */
const worstLevel = (findings: readonly Finding[]): Level =>
  LEVELS.findLast((level) => countOf(findings, level) > 0) ?? 'ok';

/** Returns a line for each finding, then a summary. Texts of servers are made safe to print. */
function asText(findings: readonly Finding[]): string {
  const lines = table(
    findings.map(({ check, level, found, advice }) => [
      level.toUpperCase().replace('OK', 'ok'),
      check,
      printable(advice ? `${found}. ${advice}` : found),
    ]),
  );
  const [fine, warnings, failures] = LEVELS.map((level) => countOf(findings, level)) as [
    number,
    number,
    number,
  ];
  const summary = `${counted(findings.length, 'check')}: ${fine} ok, ${counted(warnings, 'warning')}, ${counted(failures, 'failure')}.`;
  return `${lines.join('\n')}\n\n${summary}\n`;
}

/** Returns one JSON document. */
const asJson = (role: string, findings: readonly Finding[]): string =>
  `${JSON.stringify({ role, level: worstLevel(findings), checks: findings }, null, 2)}\n`;
