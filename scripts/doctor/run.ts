import { type CliContext, reportError } from '../text/command-line.js';
import type { Clock } from './clock.js';
import { help, type Options, readCommandLine } from './command-line.js';
import { checkDatabase } from './database/check-database.js';
import { checkFiles } from './files.js';
import { type Finding, failure, ok } from './finding.js';
import { withPrivateServices } from './private-services.js';
import { checkRedis } from './redis/check-redis.js';
import { asJson, asText, worstLevel } from './report.js';
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
    return reportError(error, 'npm run doctor', err);
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
  ]);
  return [ok('settings', `valid for ${role === 'api' ? 'the API' : 'a worker'}`), ...groups.flat()];
}
