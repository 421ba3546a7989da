import type { Tables } from 'knex/types/tables.js';
import type { Database } from '../client/connect.js';
import { orderByKeyset } from '../client/keyset.js';
import { selectWithin } from '../client/limit-time.js';

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
