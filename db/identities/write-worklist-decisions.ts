import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';
import { sqlNow } from '../client/now.js';
import type { DecisionChange } from './worklist-decisions.js';

type Row = Tables['worklist_decisions'];
const TABLE = 'worklist_decisions';
/** Accounts in one statement. To build one of 1,000 rows takes 80 ms, in which the process does nothing else. */
const CHUNK = 250;
/** Changes between two pauses. */
const PAUSE_EVERY = 2_000;

export interface DecisionCounts {
  saved: number;
  /** Decisions that were stored already. */
  unchanged: number;
  removed: number;
}

/**
 * Makes and removes decisions. One that is stored already stays as it is, with who made it and when, except for `later`, which begins again. Of several changes for the same decision, the last one counts. An owner is no longer `not_this_person`, and
 * the other way round.
 */
export async function writeDecisions(
  transaction: Knex.Transaction,
  integrationId: number,
  { changes, author }: { changes: readonly DecisionChange[]; author: { id: string; name: string } },
): Promise<DecisionCounts> {
  const counts = { saved: 0, unchanged: 0, removed: 0 };
  for await (const accounts of inOrder(changes)) {
    const stored = await transaction(TABLE)
      .where('integration_id', integrationId)
      .whereIn('identity', [...accounts.keys()]);
    const before = grouped<Row>(stored);
    const wanted = [...accounts].map(([identity, its]) => fold(before.get(identity) ?? [], its));
    const removed = wanted.flatMap((account) => account.removed);
    const decided = wanted.flatMap((account) => account.decided);
    const saved = decided.filter(({ isStored }) => !isStored);
    await removeRows(transaction, integrationId, removed);
    const rows = saved.map(({ place: rejected_email, change }) => ({
      integration_id: integrationId,
      identity: change.identity,
      rejected_email,
      decision: change.decision ?? '',
      email: change.email,
      suggested_email: change.suggested?.email ?? null,
      reason: change.suggested?.reason ?? null,
      rule: change.suggested?.rule ?? null,
      score: change.suggested?.score ?? null,
      decided_by_id: author.id,
      decided_by_name: author.name,
      decided_at: sqlNow(transaction),
    }));
    if (rows.length > 0)
      await transaction(TABLE)
        .insert(rows)
        .onConflict(['integration_id', 'identity', 'rejected_email'])
        .merge();
    counts.saved += rows.length;
    counts.unchanged += decided.length - saved.length;
    counts.removed += removed.length;
  }
  return counts;
}

/**
 * Groups changes by account, some accounts at a time. They are in one order, so that two requests do not wait for each other. To sort 100,000 of
 * them at once takes 150 ms, in which the process does nothing else: they are sorted by their first characters first.
 */
async function* inOrder(changes: readonly DecisionChange[]): AsyncGenerator<Map<string, DecisionChange[]>> {
  const byStart = new Map<string, DecisionChange[]>();
  for (const [at, change] of changes.entries()) {
    const start = change.identity.slice(0, 2);
    const group = byStart.get(start);
    if (group) group.push(change);
    else byStart.set(start, [change]);
    if (at % PAUSE_EVERY === 0) await yieldToOthers();
  }
  let accounts = new Map<string, DecisionChange[]>();
  for (const start of [...byStart.keys()].sort()) {
    const byAccount = grouped(byStart.get(start) ?? []);
    for (const identity of [...byAccount.keys()].sort()) {
      accounts.set(identity, byAccount.get(identity) ?? []);
      if (accounts.size < CHUNK) continue;
      yield accounts;
      accounts = new Map();
    }
  }
  if (accounts.size > 0) yield accounts;
}

function grouped<One extends { identity: string }>(all: readonly One[]): Map<string, One[]> {
  const groups = new Map<string, One[]>();
  for (const one of all) {
    const group = groups.get(one.identity);
    if (group) group.push(one);
    else groups.set(one.identity, [one]);
  }
  return groups;
}

/** Returns what becomes of the decisions about one account: by the rejected email, '' for the one about the account. */
function fold(stored: readonly Row[], changes: readonly DecisionChange[]) {
  const saved = new Map<string, DecisionChange>();
  const gone = new Set<string>();
  const remove = (place: string) => {
    saved.delete(place);
    gone.add(place);
  };
  const storedOwner = stored.find(({ decision }) => decision === 'owner')?.email;
  for (const change of changes) {
    const { decision, email } = change;
    const place = decision === null || decision === 'not_this_person' ? (email ?? '') : '';
    if (decision === null) {
      remove(place);
      continue;
    }
    saved.set(place, change);
    gone.delete(place);
    if (decision === 'owner' && email !== null) remove(email);
    if (decision !== 'not_this_person') continue;
    const account = saved.get('');
    const owner = account ? account.decision === 'owner' && account.email : !gone.has('') && storedOwner;
    if (owner === email) remove('');
  }
  const decided = [...saved].map(([place, change]) => ({
    place,
    change,
    isStored:
      change.decision !== 'later' &&
      stored.some(
        ({ rejected_email, decision, email }) =>
          rejected_email === place && decision === change.decision && email === change.email,
      ),
  }));
  return { decided, removed: stored.filter(({ rejected_email }) => gone.has(rejected_email)) };
}

async function removeRows(transaction: Knex.Transaction, integrationId: number, rows: readonly Row[]) {
  if (rows.length === 0) return;
  await transaction(TABLE)
    .where('integration_id', integrationId)
    .where((any) => {
      for (const { identity, rejected_email } of rows) any.orWhere({ identity, rejected_email });
    })
    .delete();
}
