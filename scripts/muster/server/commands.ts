import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { counted } from '../../../workers/text/quantities.js';
import { parseCommandLine, UsageError } from '../../text/command-line.js';
import { printable } from '../../text/printable.js';
import { findAccess } from '../../upload/access.js';
import { Unavailable, UploadFailure } from '../../upload/failure.js';
import type { MusterContext } from '../context.js';
import { FileProblem } from '../files/folder.js';
import { type Directory, readDirectory } from '../files/read-directory.js';
import type { Command } from '../run.js';
import { applyPlan } from './apply.js';
import { MusterServer } from './client.js';
import { type Exported, exportAll } from './export.js';
import { makePlan, readPlan } from './plan.js';
import { showApplied, showPlan } from './show-plan.js';

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const COMMON = { url: text, key: text, json: flag } as const;
type Values = { url?: string | undefined; key?: string | undefined };

/** The exit code of `--exit-code` if something differs. */
const DIFFERS = 3;
const MAX_EVENTS = 1_000_000;

const ACCESS_HELP = `
  --url URL         address of Muster; default: MUSTER_URL, or the address that npm start saved in DATA_DIR/address
  --key KEY         API key (visible in the list of processes); default: MUSTER_API_KEY, or on this machine the key of
                    npm start. It needs the scope webhooks:write
  --json            print the result as JSON
  --help            print this help`;

const HELP = {
  export: `
Usage: muster export DIR [options]

Writes each integration of the server as a file. In a file that is there, only what differs is changed; comments and
order stay. Secrets are not written: a new file refers to a variable of the environment.
${ACCESS_HELP}

Exit codes: 0 written. 1 an integration could not be exported, or the server did not respond. 2 the command line or a
file is invalid.
`.trim(),
  plan: `
Usage: muster plan DIR [options]

Compares the files with the server, and says what would be changed and what that means for stored events. Writes
nothing to the server.

  --out FILE        save the plan, for muster apply
  --prune           also delete integrations that have the managedBy of muster.yaml and no file
  --events N        the newest events of each integration that a new mapping is tried on (default: 10000; 0: none).
                    Which fields differ is only shown if the key has the scope alerts:read
  --exit-code       exit with 3 if something would be changed
${ACCESS_HELP}

Exit codes: 0 the plan was made. 1 the server rejected it, or did not respond. 2 the command line or a file is invalid.
3 see --exit-code.
`.trim(),
  apply: `
Usage: muster apply PLAN [options]

Does exactly what a saved plan says. An integration that was changed since the plan was made is refused by name; the
others are changed, each as a whole. Applying a plan again changes nothing.

  --dir DIR         the folder of the files, if secrets are in files (default: the current folder)
  --all-or-nothing  change nothing if a change is refused
${ACCESS_HELP}

Exit codes: 0 everything is as planned. 1 a change was refused, or the server did not respond: make a new plan. 2 the
command line or the plan is invalid.
`.trim(),
  diff: `
Usage: muster diff DIR [options]

Shows what was changed on the server, such as in the console, as a patch to the files.

  --exit-code       exit with 3 if something differs
${ACCESS_HELP}

Exit codes: 0 shown. 1 an integration could not be compared, or the server did not respond. 2 the command line or a
file is invalid. 3 see --exit-code.
`.trim(),
};

/** Returns a command that shows its help, and why the server did not do what was asked. */
const command =
  (help: string, run: Command['run']): Command['run'] =>
  async (args, context) => {
    if (args.includes('--help') || args.includes('-h')) {
      context.out.write(`${help}\n`);
      return 0;
    }
    try {
      return await run(args, context);
    } catch (error) {
      if (context.stop.aborted) return Number(context.stop.reason);
      if (!(error instanceof UploadFailure || error instanceof Unavailable)) throw error;
      context.err.write(`${error.message}\n`);
      return 1;
    }
  };

/** The commands that compare files with a server. */
export const serverCommands: Readonly<Record<string, Command>> = {
  export: { summary: 'writes the integrations of a server as files', run: command(HELP.export, exportFiles) },
  plan: { summary: 'says what the files would change on the server', run: command(HELP.plan, plan) },
  apply: { summary: 'does what a plan says', run: command(HELP.apply, apply) },
  diff: { summary: 'shows what was changed on the server as a patch', run: command(HELP.diff, diff) },
};

/** `muster plan DIR`: says what has to be done, and what that means. Returns the exit code. */
async function plan(args: readonly string[], context: MusterContext): Promise<number> {
  const { values, positionals } = parseCommandLine({
    args: [...args],
    allowPositionals: true,
    options: { ...COMMON, out: text, prune: flag, events: text, 'exit-code': flag },
  });
  const directory = readFiles(only(positionals, 'folder', context), context);
  const server = serverOf(values, directory.settings.server, context);
  const made = await makePlan({
    server,
    directory,
    env: context.env,
    prune: values.prune,
    events: eventsOf(values.events),
  });
  const json = `${JSON.stringify(made, null, 2)}\n`;
  if (values.out !== undefined) writeWhole(context.pathOf(values.out), json);
  context.out.write(values.json ? json : showPlan(made));
  return values['exit-code'] && made.changes.length > 0 ? DIFFERS : 0;
}

/** `muster apply PLAN`: does what a plan says. Returns the exit code. */
async function apply(args: readonly string[], context: MusterContext): Promise<number> {
  const { values, positionals } = parseCommandLine({
    args: [...args],
    allowPositionals: true,
    options: { ...COMMON, dir: text, 'all-or-nothing': flag },
  });
  const plan = readPlan(readText(only(positionals, 'plan', context)));
  const server = serverOf(values, plan.server, context);
  const results = await applyPlan({
    server,
    plan,
    root: context.pathOf(values.dir ?? '.'),
    env: context.env,
    allOrNothing: values['all-or-nothing'],
  });
  const shown = results.map(({ change: { name, action, file }, outcome, reason = null }) => ({
    name,
    action,
    file,
    outcome,
    reason,
  }));
  context.out.write(values.json ? `${JSON.stringify(shown, null, 2)}\n` : showApplied(results));
  return results.some(({ outcome }) => outcome === 'refused') ? 1 : 0;
}

/** `muster export DIR`: writes what the server has. Returns the exit code. */
async function exportFiles(args: readonly string[], context: MusterContext): Promise<number> {
  const { values, positionals } = parseCommandLine({
    args: [...args],
    allowPositionals: true,
    options: COMMON,
  });
  const path = only(positionals, 'folder', context);
  mkdirSync(path, { recursive: true });
  const directory = readFiles(path, context);
  const exported = await exportAll(serverOf(values, directory.settings.server, context), directory);
  const written = exported.files.filter(({ before, after }) => before !== after);
  for (const { path, after } of written) writeWhole(join(directory.folder.root, path), after);
  if (values.json)
    context.out.write(
      `${JSON.stringify({ written: written.map(({ path, before }) => ({ path, isNew: before === null })), unknown: exported.unknown, problems: exported.problems }, null, 2)}\n`,
    );
  else
    for (const { path, before } of written)
      context.out.write(`${before === null ? 'created' : 'changed'} ${printable(path)}\n`);
  note(exported, context);
  context.err.write(
    `${counted(written.length, 'file')} written, ${counted(exported.files.length - written.length, 'file')} unchanged\n`,
  );
  return exported.problems.length > 0 ? 1 : 0;
}

/** `muster diff DIR`: shows what was changed on the server, as a patch to the files. Returns the exit code. */
async function diff(args: readonly string[], context: MusterContext): Promise<number> {
  const { values, positionals } = parseCommandLine({
    args: [...args],
    allowPositionals: true,
    options: { ...COMMON, 'exit-code': flag },
  });
  const directory = readFiles(only(positionals, 'folder', context), context);
  const exported = await exportAll(serverOf(values, directory.settings.server, context), directory);
  const changed = exported.files.filter(({ before, after }) => before !== after);
  if (values.json) context.out.write(`${JSON.stringify(changed, null, 2)}\n`);
  else
    for (const { path, before, after } of changed)
      context.out.write(
        createTwoFilesPatch(before === null ? '/dev/null' : `a/${path}`, `b/${path}`, before ?? '', after)
          .replace(/^=+\n/, '')
          .replaceAll('\t\n', '\n'),
      );
  note(exported, context);
  if (exported.problems.length > 0) return 1;
  return values['exit-code'] && changed.length > 0 ? DIFFERS : 0;
}

function note({ unknown, problems }: Exported, { err }: MusterContext): void {
  for (const path of unknown) err.write(`${printable(path)}: the server has no integration of this name\n`);
  for (const problem of problems) err.write(`error: ${printable(problem)}\n`);
}

function readOrReject(path: string): Directory {
  try {
    return readDirectory(path);
  } catch (error) {
    if (error instanceof FileProblem) throw new UsageError(`${path} ${error.message}`);
    throw error;
  }
}

/**
 * Reads the files of a folder.
 * @throws UsageError if one of them is invalid: what it says would be taken for nothing
 */
function readFiles(path: string, { err }: MusterContext): Directory {
  const directory = readOrReject(path);
  const errors = directory.findings.filter(
    ({ level, code }) => level === 'error' && code !== 'no_integrations',
  );
  for (const { file, line, column, message } of errors)
    err.write(`${file}:${line}:${column}: ${printable(message)}\n`);
  if (errors.length > 0)
    throw new UsageError(`The files have ${counted(errors.length, 'error')}: correct them first`);
  return directory;
}

function serverOf({ url, key }: Values, expected: string | null, { env, stop }: MusterContext): MusterServer {
  const access = findAccess(
    { ...(url === undefined ? {} : { url }), ...(key === undefined ? {} : { key }) },
    env,
  );
  const server = new MusterServer(access, stop);
  if (expected !== null && expected.replace(/\/$/, '') !== server.address)
    throw new UsageError(`The files are for ${expected}, and the address is ${server.address}`);
  return server;
}

function only([path, ...more]: readonly string[], what: string, { pathOf }: MusterContext): string {
  if (path === undefined) throw new UsageError(`Name the ${what}`);
  if (more.length > 0) throw new UsageError(`One ${what} at a time: remove ${more.join(' ')}`);
  return pathOf(path);
}

function eventsOf(given = '10000'): number {
  const events = Number(given);
  if (/^\d+$/.test(given) && events <= MAX_EVENTS) return events;
  throw new UsageError(`--events must be a whole number up to ${MAX_EVENTS}, not ${given}`);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** Writes a file so that it is there as a whole or not at all. */
function writeWhole(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, content);
  renameSync(temporary, path);
}
