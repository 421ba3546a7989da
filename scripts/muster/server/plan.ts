import { createHash } from 'node:crypto';
import { z } from 'zod';
import { documentChangeSchema } from '../../../api/routes/integrations/document-changes.js';
import { UsageError } from '../../text/command-line.js';
import { UploadFailure } from '../../upload/failure.js';
import { MAX_AT_ONCE, mapAtOnce } from '../at-once.js';
import type { Directory, IntegrationFile } from '../files/read-directory.js';
import { resolveSecret } from '../files/secret-reference.js';
import { type MusterServer, pathOf } from './client.js';
import { effectOf, effectSchema } from './effect.js';

const plannedChange = z.object({
  action: z.enum(['create', 'change', 'delete']),
  name: z.string(),
  /** Relative to the folder; null: the integration is not in it. */
  file: z.string().nullable(),
  /** What the integration was when the plan was made: its ETag, and "0" if it did not exist. */
  base: z.string(),
  /** What it becomes, with references in place of secrets; null if it is deleted. */
  document: z.record(z.string(), z.unknown()).nullable(),
  changes: z.array(documentChangeSchema),
  warnings: z.array(z.object({ field: z.string(), code: z.string(), message: z.string() })),
  /** Whether its new filter drops all of the newest events. */
  dropsAll: z.boolean(),
  effect: effectSchema.nullable(),
});
export type PlannedChange = z.infer<typeof plannedChange>;

const planSchema = z.object({
  version: z.literal(1),
  server: z.string(),
  createdAt: z.iso.datetime(),
  changes: z.array(plannedChange),
  unchanged: z.number().int(),
  /** Over all of the above: a plan that somebody has edited is not what was reviewed. */
  digest: z.string(),
});
export type Plan = z.infer<typeof planSchema>;

/** How a plan is made. */
export interface Planning {
  server: MusterServer;
  directory: Directory;
  env: Record<string, string | undefined>;
  /** Whether integrations are deleted that have the `managedBy` of the folder and no file in it. */
  prune: boolean;
  /** The newest events of each integration that a new mapping is tried on; 0: none. */
  events: number;
}

/**
 * Returns what has to be done so that the server has what the files say. Writes nothing.
 * @throws Unavailable, UploadFailure, UsageError
 */
export async function makePlan(planning: Planning): Promise<Plan> {
  const { server, directory } = planning;
  const files = directory.integrations.flatMap((file) =>
    file.content ? { ...file, content: file.content } : [],
  );
  const failures: string[] = [];
  const planned = await mapAtOnce(files, MAX_AT_ONCE, async (file) => {
    try {
      return await planFile(planning, file);
    } catch (error) {
      if (!(error instanceof UploadFailure)) throw error;
      failures.push(`${file.path}: ${error.message}`);
      return null;
    }
  });
  if (failures.length > 0) throw new UploadFailure(failures.sort().join('\n'));
  const changes = planned.filter((one) => one !== null);
  if (planning.prune)
    changes.push(...(await planDeletions(planning, new Set(files.map(({ content }) => content.name)))));
  const plan = {
    version: 1 as const,
    server: server.address,
    createdAt: new Date().toISOString(),
    changes,
    unchanged: planned.length - planned.filter((one) => one !== null).length,
  };
  return { ...plan, digest: digestOf(plan) };
}

async function planFile(
  { server, directory, env, events }: Planning,
  { path, content }: IntegrationFile & { content: NonNullable<IntegrationFile['content']> },
): Promise<PlannedChange | null> {
  const document = resolved(content, directory.folder.root, env, path);
  const { body, headers } = await server.send('PUT', `${pathOf(content.name)}?dryRun=true`, {
    json: document,
  });
  const { outcome, id, changes, warnings, filter } = body.data;
  if (outcome === 'unchanged') return null;
  const isMapped = changes.some((change: { path: string }) => /^(?:mapping|template)\b/.test(change.path));
  return {
    action: outcome === 'created' ? 'create' : 'change',
    name: content.name,
    file: path,
    base: tagOf(headers),
    document: content,
    changes,
    warnings,
    dropsAll: filter !== undefined && filter.events > 0 && filter.filtered === filter.events,
    effect: isMapped && id !== null && events > 0 ? await effectOf(server, { id, content, events }) : null,
  };
}

async function planDeletions(
  { server, directory: { settings } }: Planning,
  names: ReadonlySet<string>,
): Promise<PlannedChange[]> {
  const { managedBy } = settings;
  if (managedBy === null)
    throw new UsageError(
      '--prune deletes only what this folder manages: set managedBy in muster.yaml, such as the address of the repository',
    );
  const all: { name: string; managedBy: string | null }[] = await server.list('/v2/webhooks');
  const gone = all.filter((one) => one.managedBy === managedBy && !names.has(one.name));
  return mapAtOnce(gone, MAX_AT_ONCE, async ({ name }) => {
    const { headers } = await server.send('GET', pathOf(name));
    const base = tagOf(headers);
    return { ...NOTHING, action: 'delete' as const, name, base };
  });
}

const NOTHING = { file: null, document: null, changes: [], warnings: [], dropsAll: false, effect: null };

/**
 * Returns a document with its secrets.
 * @throws UsageError if one cannot be had
 */
export function resolved(
  document: Record<string, unknown>,
  root: string,
  env: Planning['env'],
  file: string,
): object {
  const { signature } = document as { signature?: { secret?: string } | null };
  if (signature?.secret === undefined) return document;
  try {
    return {
      ...document,
      signature: { ...signature, secret: resolveSecret(signature.secret, { root, env }) },
    };
  } catch (error) {
    throw new UsageError(`${file}: signature.secret: ${(error as Error).message}`);
  }
}

/** Returns the ETag of a response without its quotes. */
export const tagOf = ({ etag = '' }: { etag?: string | undefined }): string =>
  etag.replace(/^(?:W\/)?"|"$/g, '');

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
