import { isDeepStrictEqual } from 'node:util';
import { MAX_AT_ONCE, mapAtOnce } from '../at-once.js';
import { type MusterServer, pathOf } from './client.js';
import { type Plan, type PlannedChange, resolved } from './plan.js';

/** What became of a change. */
export interface Applied {
  change: PlannedChange;
  outcome: 'applied' | 'already' | 'refused';
  /** Of a refused one. */
  reason?: string;
}

interface Applying {
  server: MusterServer;
  plan: Plan;
  /** The folder of the files, for secrets in files. */
  root: string;
  env: Record<string, string | undefined>;
  /** Whether nothing is applied if one change is refused. */
  allOrNothing: boolean;
}

/**
 * Does what a plan says, each integration as a whole or not at all. What is not as it was when the plan was made is refused by name; what
 * is already done is left. All changes are checked before the first one is made.
 * @throws Unavailable, UploadFailure, UsageError
 */
export async function applyPlan(applying: Applying): Promise<Applied[]> {
  const { plan, allOrNothing } = applying;
  const checked = await mapAtOnce(plan.changes, MAX_AT_ONCE, (change) => applyOne(applying, change, true));
  const isStopped = allOrNothing && checked.some(({ outcome }) => outcome === 'refused');
  const results: Applied[] = [];
  for (const one of checked) {
    if (one.outcome !== 'applied') results.push(one);
    else if (isStopped) results.push({ ...one, outcome: 'refused', reason: 'another change was refused' });
    else results.push(await applyOne(applying, one.change, false));
  }
  return results;
}

async function applyOne(applying: Applying, change: PlannedChange, dryRun: boolean): Promise<Applied> {
  return change.action === 'delete' ? deleteOne(applying, change, dryRun) : putOne(applying, change, dryRun);
}

async function putOne(
  { server, root, env }: Applying,
  change: PlannedChange,
  dryRun: boolean,
): Promise<Applied> {
  const { name, base, document, file, dropsAll } = change;
  const query = new URLSearchParams({
    ...(dryRun ? { dryRun: 'true' } : {}),
    ...(dropsAll ? { confirm: 'drops-all' } : {}),
  });
  const { status, body } = await server.send('PUT', `${pathOf(name)}?${query}`, {
    json: resolved(document ?? {}, root, env, file ?? name),
    headers: { 'if-match': `"${base}"` },
    expected: [400, 409, 412, 422],
  });
  if (status === 412) return refused(change, `${overtaken(body)} Make a new plan`);
  if (status >= 400) return refused(change, body.message);
  if (body.data.outcome === 'unchanged') return { change, outcome: 'already' };
  // The same integration and the same files, but another secret in the environment.
  if (dryRun && !isDeepStrictEqual(change.changes, body.data.changes))
    return refused(
      change,
      'it would change other things than the plan says. Is the environment another one? Make a new plan',
    );
  return { change, outcome: 'applied' };
}

async function deleteOne({ server }: Applying, change: PlannedChange, dryRun: boolean): Promise<Applied> {
  const { name, base } = change;
  const expected = [404, 409, 412];
  const { status, body, headers } = dryRun
    ? await server.send('GET', pathOf(name), { expected })
    : await server.send('DELETE', pathOf(name), { headers: { 'if-match': `"${base}"` }, expected });
  if (status === 404) return { change, outcome: 'already' };
  if (status === 412 || (dryRun && status === 200 && headers.etag !== `"${base}"`))
    return refused(change, 'it was changed since. Make a new plan');
  return status >= 400 ? refused(change, body.message) : { change, outcome: 'applied' };
}

const refused = (change: PlannedChange, reason: string): Applied => ({ change, outcome: 'refused', reason });

function overtaken({
  current,
}: {
  current?: { revision: number; savedBy: { name: string } | null };
}): string {
  if (!current || current.revision === 0) return 'it does not exist any more.';
  const by = current.savedBy ? ` by the key ${JSON.stringify(current.savedBy.name)}` : '';
  return `it was changed since${by}.`;
}
