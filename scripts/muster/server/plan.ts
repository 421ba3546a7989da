import { createHash } from 'node:crypto';
import { z } from 'zod';
import { counted } from '../../../workers/text/quantities.js';
import { UsageError } from '../../text/command-line.js';
import { UploadFailure } from '../../upload/failure.js';
import { MAX_AT_ONCE, mapAtOnce } from '../at-once.js';
import { REFERENCES, shownReference } from '../files/references.js';
import { SERVER_KINDS } from './kinds.js';
import { NOTHING, type PlannedChange, plannedChange } from './planned-change.js';
import type { NamedFile, Planning, ServerKind } from './server-kind.js';

const planSchema = z.object({
  version: z.literal(1),
  server: z.string(),
  /** The folder of the files, as the command line named it. */
  folder: z.string(),
  createdAt: z.iso.datetime(),
  /** In the order in which they are made: what refers to others comes after them, and what is deleted before them. */
  changes: z.array(plannedChange),
  unchanged: z.number().int(),
  /** Over all of the above: a plan that somebody has edited is not what was reviewed. */
  digest: z.string(),
});
export type Plan = z.infer<typeof planSchema>;

/** Why a file could not be planned. */
interface Failure {
  path: string;
  message: string;
}

/** Files that are named with the same message. */
const MAX_NAMED = 3;

/** Returns a line for each file. What many files have in common, such as a key without a scope, is one line. */
function linesOf(failures: readonly Failure[]): string[] {
  const byMessage = new Map<string, string[]>();
  for (const { path, message } of failures) byMessage.set(message, [...(byMessage.get(message) ?? []), path]);
  const lines = [...byMessage].flatMap(([message, paths]) => {
    const named = paths.sort().slice(0, MAX_NAMED);
    if (paths.length === named.length) return named.map((path) => `${path}: ${message}`);
    return `${named.join(', ')} and ${counted(paths.length - named.length, 'more file')}: ${message}`;
  });
  return lines.sort();
}

/**
 * Returns what has to be done so that the server has what the files say. Writes nothing.
 * @throws Unavailable, UploadFailure, UsageError
 */
export async function makePlan(planning: Planning, folder: string): Promise<Plan> {
  const { server } = planning;
  const failures: Failure[] = [];
  const changes: PlannedChange[] = [];
  let unchanged = 0;
  for (const kind of SERVER_KINDS) {
    const planned = await mapAtOnce(filesOf(kind, planning), MAX_AT_ONCE, async (file) => {
      try {
        return await kind.plan(planning, file);
      } catch (error) {
        if (!(error instanceof UploadFailure)) throw error;
        failures.push({ path: file.path, message: error.message });
        return null;
      }
    });
    const changed = planned.filter((one) => one !== null);
    changes.push(...changed);
    unchanged += planned.length - changed.length;
  }
  if (failures.length > 0) throw new UploadFailure(linesOf(failures).join('\n'));
  if (planning.prune) {
    const deletions: PlannedChange[] = [];
    for (const kind of SERVER_KINDS.toReversed()) deletions.push(...(await planDeletions(planning, kind)));
    const missed = stillReferred(planning, deletions);
    if (missed.length > 0) throw new UploadFailure(linesOf(missed).join('\n'));
    changes.push(...deletions);
  }
  const plan = {
    version: 1 as const,
    server: server.address,
    folder,
    createdAt: new Date().toISOString(),
    changes,
    unchanged,
  };
  return { ...plan, digest: digestOf(plan) };
}

const filesOf = (kind: ServerKind, { directory }: Planning) =>
  kind
    .filesOf(directory)
    .flatMap((file: NamedFile) => (file.content ? { ...file, content: file.content } : []));

async function planDeletions(planning: Planning, kind: ServerKind): Promise<PlannedChange[]> {
  const { server, directory } = planning;
  const { managedBy } = directory.settings;
  if (managedBy === null)
    throw new UsageError(
      '--prune deletes only what this folder manages: set managedBy in muster.yaml, such as the address of the repository',
    );
  const names = new Set(filesOf(kind, planning).map(({ content }) => content.name));
  const gone = (await kind.managed(server, managedBy)).filter((name) => !names.has(name));
  const planned = await mapAtOnce(gone, MAX_AT_ONCE, async (name): Promise<PlannedChange | []> => {
    const base = await kind.tag(server, name);
    return base === null ? [] : { ...NOTHING, kind: kind.one, action: 'delete', name, base };
  });
  return planned.flat();
}

/** Returns the files that refer to what would be deleted. */
function stillReferred(planning: Planning, deletions: readonly PlannedChange[]): Failure[] {
  const isDeleted = (wanted: Pick<PlannedChange, 'kind' | 'name'>) =>
    deletions.some(({ kind, name }) => kind === wanted.kind && name === wanted.name);
  return SERVER_KINDS.flatMap((kind) =>
    filesOf(kind, planning).flatMap(({ path, content }) =>
      REFERENCES[kind.one](content)
        .filter(isDeleted)
        .map((reference) => ({
          path,
          message: `${reference.path.join('.')}: refers to ${shownReference(reference)}, which has no file any more, so --prune would delete it`,
        })),
    ),
  );
}

const digestOf = (plan: Omit<Plan, 'digest'>): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(plan)))
    .digest('hex');

/** Returns a value whose members are in alphabetical order: not each program that stores JSON keeps theirs. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

/**
 * Reads a plan that was saved.
 * @throws UsageError if it is none, or was edited
 */
export function readPlan(text: string): Plan {
  const parsed = planSchema.safeParse(parse(text));
  if (!parsed.success) throw new UsageError('The file is not a plan of muster plan');
  const { digest, ...plan } = parsed.data;
  if (digestOf(plan) !== digest)
    throw new UsageError('The plan was changed after it was made: change the files, and make a new one');
  return parsed.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
