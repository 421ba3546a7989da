import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
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
import { exportAll } from './export.js';
import { HELP } from './help.js';
import { makePlan, readPlan } from './plan.js';
import type { Applied } from './planned-change.js';
import type { Exported } from './server-kind.js';
import { showApplied, showPlan, sumOfApplied } from './show-plan.js';

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const COMMON = { url: text, key: text, json: flag } as const;
type Values = { url?: string | undefined; key?: string | undefined };

/** The exit code of `--exit-code` if something differs. */
const DIFFERS = 3;
const MAX_EVENTS = 1_000_000;

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
  export: { summary: 'writes what a server has as files', run: command(HELP.export, exportFiles) },
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
  const planning = {
    server,
    directory,
    env: context.env,
    prune: values.prune,
    events: eventsOf(values.events),
  };
  const made = await makePlan(planning, positionals[0] ?? '');
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
  const results: Applied[] = [];
  const onDone = (applied: Applied) => {
    results.push(applied);
    if (!values.json) context.out.write(showApplied(applied));
  };
  try {
    await applyPlan({
      server,
      plan,
      root: context.pathOf(values.dir ?? plan.folder),
      env: context.env,
      allOrNothing: values['all-or-nothing'],
      onDone,
    });
  } finally {
    // Also if the server went away: what is done is done.
    const shown = results.map(({ change: { kind, name, action, file }, outcome, reason = null }) => ({
      kind,
      name,
      action,
      file,
      outcome,
      reason,
    }));
    context.out.write(
      values.json ? `${JSON.stringify(shown, null, 2)}\n` : sumOfApplied(results, plan.changes.length),
    );
  }
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
      `${JSON.stringify({ written: written.map(({ path, before }) => ({ path, isNew: before === null })), unknown: exported.unknown.map(({ path }) => path), problems: exported.problems }, null, 2)}\n`,
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
  const prefix = prefixOf(positionals[0] ?? '', context);
  if (values.json) context.out.write(`${JSON.stringify(changed, null, 2)}\n`);
  else
    for (const { path, before, after } of changed)
      context.out.write(
        createTwoFilesPatch(
          before === null ? '/dev/null' : `a/${prefix}${path}`,
          `b/${prefix}${path}`,
          before ?? '',
          after,
        )
          .replace(/^=+\n/, '')
          .replaceAll('\t\n', '\n'),
      );
  note(exported, context);
  if (exported.problems.length > 0) return 1;
  return values['exit-code'] && changed.length > 0 ? DIFFERS : 0;
}

/** Returns what `git apply` needs before the paths of a folder, from where the command runs; nothing for a folder outside of that. */
function prefixOf(folder: string, { pathOf }: MusterContext): string {
  const path = relative(pathOf('.'), pathOf(folder));
  const isInside = path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  return isInside ? `${path.split(sep).join('/')}/` : '';
}

function note({ unknown, problems, closed }: Exported, { err }: MusterContext): void {
  for (const kind of closed) err.write(`${kind} are left out: the key may not read them\n`);
  for (const { path, one } of unknown)
    err.write(`${printable(path)}: the server has no ${one} of this name\n`);
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
