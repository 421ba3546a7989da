import { writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { parseCommandLine, UsageError } from '../../text/command-line.js';
import type { MusterContext } from '../context.js';
import { readDirectory } from '../files/read-directory.js';
import { githubReport } from '../report/github.js';
import { junitReport } from '../report/junit.js';
import { textReport } from '../report/text.js';
import { checkDirectory } from './check-directory.js';

const FORMATS = ['text', 'json', 'github'] as const;

interface Options {
  folder: string;
  strict: boolean;
  update: boolean;
  format: (typeof FORMATS)[number];
  junit: string | undefined;
}

/** The text of `muster check --help`. */
export const help = `
Usage: muster check DIR [options]

Checks the files of a folder without a server: the schema of each file, each mapping, and that each sample becomes the
alerts that it names. See docs/files.md.

  --strict          warnings are errors
  --update          write the alerts that Muster makes into the samples, and show what changes
  --json            print the result as JSON, like --format json
  --format FORMAT   text (the default), json, or github: annotations of GitHub Actions
  --junit FILE      also write the result as JUnit XML
  --help            print this help

Exit codes: 0 no errors. 1 errors. 2 the command line is invalid, or DIR is not a folder.
`.trim();

/**
 * Runs `muster check`.
 * @returns the exit code
 * @throws UsageError
 * @throws FileProblem if DIR is not a folder
 */
export async function runCheck(
  args: readonly string[],
  { env, out, pathOf }: MusterContext,
): Promise<number> {
  const options = readCommandLine(args);
  if (!options) {
    out.write(`${help}\n`);
    return 0;
  }
  const folder = pathOf(options.folder);
  const result = await checkDirectory(readDirectory(folder), options);
  if (options.strict) result.findings = result.findings.map((finding) => ({ ...finding, level: 'error' }));
  const hasFailed = result.findings.some(({ level }) => level === 'error');
  const shownPath = (file: string) => join(options.folder, file);
  const pathInRepository = (file: string) =>
    relative(env.GITHUB_WORKSPACE ?? process.cwd(), resolve(folder, file))
      .split(sep)
      .join('/');
  if (options.format === 'json') out.write(`${JSON.stringify({ ok: !hasFailed, ...result }, null, 2)}\n`);
  else if (options.format === 'github') out.write(githubReport(result, pathInRepository));
  else out.write(textReport(result, { shownPath, colors: Boolean(out.isTTY) && !env.NO_COLOR }));
  if (options.junit !== undefined) writeReport(pathOf(options.junit), junitReport(result));
  return hasFailed ? 1 : 0;
}

function writeReport(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new UsageError(`--junit ${path} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** @returns null if help is requested */
function readCommandLine(args: readonly string[]): Options | null {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = {
    strict: flag,
    update: flag,
    json: flag,
    format: text,
    junit: text,
    help: { ...flag, short: 'h' },
  } as const;
  const { values, positionals } = parseCommandLine({ args: [...args], allowPositionals: true, options });
  if (values.help) return null;
  const [folder, ...more] = positionals;
  if (folder === undefined) throw new UsageError('Name the folder to check');
  if (more.length > 0) throw new UsageError(`One folder at a time: remove ${more.join(' ')}`);
  const format = FORMATS.find((name) => name === (values.format ?? (values.json ? 'json' : 'text')));
  if (!format) throw new UsageError(`--format must be one of ${FORMATS.join(', ')}, not ${values.format}`);
  if (values.json && format !== 'json') throw new UsageError('--json and --format cannot be combined');
  return {
    folder,
    strict: values.strict ?? false,
    update: values.update ?? false,
    format,
    junit: values.junit,
  };
}
