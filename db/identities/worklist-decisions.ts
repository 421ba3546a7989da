import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';
import type { Database } from '../client/connect.js';
import { orderByKeyset } from '../client/keyset.js';
import { selectWithin } from '../client/limit-time.js';
import { sqlNow } from '../client/now.js';

/**
 * What somebody has decided about accounts of worklists. An account has at most one decision besides `not_this_person`, of which it has one for
 * each email. Decisions write no identities: they apply when a worklist is made.
 */
export const DECISIONS = ['owner', 'not_this_person', 'bot', 'left', 'later'] as const;
export type Decision = (typeof DECISIONS)[number];

/** How long `later` leaves an account out of worklists. */
export const LATER_DAYS = 30;

/** The first candidate of a worklist when the decision was made. */
export interface Suggestion {
  email: string;
  /** As the worklist has it. */
  reason: string;
  score: number;
  /** See `workers/text/worklist-rules.ts`; null if the reason names no rule. */
  rule: string | null;
}

/** A decision to be made, or with `decision: null` one to be removed. */
export interface DecisionChange {
  identity: string;
  decision: Decision | null;
  /** The owner, or the person who is not the owner. Without a decision: the `not_this_person` to remove. */
  email: string | null;
  suggested: Suggestion | null;
}

export interface StoredDecision extends DecisionChange {
  decision: Decision;
  decidedBy: { id: string; name: string };
  decidedAt: Date;
}

type Row = Tables['worklist_decisions'];
const TABLE = 'worklist_decisions';
/** Accounts in one statement. */
const CHUNK = 1_000;

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
  const byAccount = grouped(changes);
  // In one order, so that two requests do not wait for each other.
  const identities = [...byAccount.keys()].sort();
  const counts = { saved: 0, unchanged: 0, removed: 0 };
  for (let from = 0; from < identities.length; from += CHUNK) {
    const some = identities.slice(from, from + CHUNK);
    const stored = await transaction(TABLE).where('integration_id', integrationId).whereIn('identity', some);
    const before = grouped<Row>(stored);
    const wanted = some.map((identity) => fold(before.get(identity) ?? [], byAccount.get(identity) ?? []));
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

/** Where a page of decisions starts. */
export interface DecisionPlace {
  identity: string;
  rejectedEmail: string;
}

export interface DecisionFilters {
  integrationId: number;
  decision?: Decision | undefined;
  identity?: string | undefined;
}

/** Returns a page of decisions, sorted by account. The database may take `withinMs`. */
export async function listDecisions(
  database: Database,
  { integrationId, decision, identity }: DecisionFilters,
  { limit, after, withinMs }: { limit: number; after?: DecisionPlace | undefined; withinMs: number },
): Promise<StoredDecision[]> {
  const query = database(TABLE).where('integration_id', integrationId);
  if (decision !== undefined) query.where('decision', decision);
  if (identity !== undefined) query.where('identity', identity);
  orderByKeyset(query, {
    columns: ['identity', 'rejected_email'],
    order: 'asc',
    after: after && [after.identity, after.rejectedEmail],
  }).limit(limit);
  return (await selectWithin<Row>(database, query, withinMs)).map(toDecision);
}

export const placeOfDecision = ({ identity, decision, email }: StoredDecision): DecisionPlace => ({
  identity,
  rejectedEmail: decision === 'not_this_person' ? (email ?? '') : '',
});

/** The decisions about one account that count now. */
export interface AccountDecisions {
  /** Null if there is none, or `later` is over. */
  decision: StoredDecision | null;
  /** The emails that are not the owner's. */
  rejected: ReadonlySet<string>;
}

/** Returns the decisions about accounts of an account system, by account. One without decisions is missing. */
export async function findDecisions(
  database: Database,
  integrationId: number,
  identities: readonly string[],
): Promise<Map<string, AccountDecisions>> {
  const found = new Map<string, { decision: StoredDecision | null; rejected: Set<string> }>();
  for (let from = 0; from < identities.length; from += CHUNK) {
    const rows: Row[] = await database(TABLE)
      .where('integration_id', integrationId)
      .whereIn('identity', identities.slice(from, from + CHUNK))
      .whereNot((over) =>
        over
          .where('decision', 'later')
          .whereRaw('decided_at < UTC_TIMESTAMP(3) - INTERVAL ? DAY', [LATER_DAYS]),
      );
    for (const row of rows) {
      const account = found.get(row.identity) ?? { decision: null, rejected: new Set<string>() };
      if (row.decision === 'not_this_person') account.rejected.add(row.rejected_email);
      else account.decision = toDecision(row);
      found.set(row.identity, account);
    }
  }
  return found;
}

/** How often the first candidate that a rule had suggested was the owner. */
export interface RulePrecision {
  rule: string;
  right: number;
  decided: number;
}

/**
 * Counts the suggestions of each rule that were decided: right if the suggested email was the owner, wrong if somebody else was or the
 * suggested one was rejected. Each account and suggested email counts once. The database may take `withinMs`.
 */
export async function countPrecision(
  database: Database,
  integrationId: number,
  withinMs: number,
): Promise<RulePrecision[]> {
  const suggestions = database(TABLE)
    .where('integration_id', integrationId)
    .whereNotNull('rule')
    .where((counts) =>
      counts
        .where('decision', 'owner')
        .orWhere((rejected) =>
          rejected.where('decision', 'not_this_person').whereRaw('rejected_email = suggested_email'),
        ),
    )
    .groupBy('identity', 'suggested_email')
    .select({
      rule: database.raw('MIN(rule)'),
      is_right: database.raw("MAX(decision = 'owner' AND email = suggested_email)"),
    });
  const query = database
    .from(suggestions.as('suggestions'))
    .groupBy('rule')
    .select('rule', { right: database.raw('SUM(is_right)'), decided: database.raw('COUNT(*)') });
  const rows = await selectWithin<{ rule: string; right: number; decided: number }>(
    database,
    query,
    withinMs,
  );
  return rows.map(({ rule, right, decided }) => ({ rule, right: Number(right), decided: Number(decided) }));
}

function toDecision(row: Row): StoredDecision {
  const { suggested_email: email, reason, rule, score } = row;
  return {
    identity: row.identity,
    decision: DECISIONS.find((one) => one === row.decision) ?? 'later',
    email: row.email,
    suggested: email === null ? null : { email, reason: reason ?? '', score: score ?? 0, rule },
    decidedBy: { id: row.decided_by_id, name: row.decided_by_name },
    decidedAt: row.decided_at,
  };
}
