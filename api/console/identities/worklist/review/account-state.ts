import type { WorklistDecision } from '../../../http/types.ts';
import type { ShownCandidate, WorklistRow } from '../parse-worklist.ts';

/** What can be decided about an account, apart from who is not its owner. */
export type AccountDecision = Exclude<WorklistDecision['decision'], 'not_this_person'>;

/** All decisions about an account. */
export interface AccountState {
  /** Null if the account is open. */
  decision: AccountDecision | null;
  /** The owner, if that is the decision. */
  email: string | null;
  /** The emails that are not the owner's, sorted. */
  rejected: readonly string[];
}

export const OPEN: AccountState = { decision: null, email: null, rejected: [] };

/** A key, button or choice of the person who reviews. */
export type Made =
  | { decision: 'owner' | 'not_this_person'; email: string }
  | { decision: Exclude<AccountDecision, 'owner'> };

/** Returns the decisions after one more, by the rules of the API: an owner is not rejected, and the other way round. */
export function withDecision(state: AccountState, made: Made): AccountState {
  if (made.decision === 'owner') {
    const { email } = made;
    return { decision: 'owner', email, rejected: state.rejected.filter((one) => one !== email) };
  }
  if (made.decision !== 'not_this_person')
    return { decision: made.decision, email: null, rejected: state.rejected };
  const rejected = [...new Set([...state.rejected, made.email])].sort();
  return state.email === made.email ? { ...OPEN, rejected } : { ...state, rejected };
}

/** Returns the candidates that nobody has rejected. */
export const openCandidates = (row: WorklistRow, { rejected }: AccountState): ShownCandidate[] =>
  row.candidates.filter(({ email }) => !rejected.includes(email));

/** Returns whether an account needs no further look: it is decided, or none of its candidates is the owner. */
export const isDone = (row: WorklistRow, state: AccountState): boolean =>
  state.decision !== null || (row.candidates.length > 0 && openCandidates(row, state).length === 0);

/** A change as the API takes it. */
export interface SentChange {
  identity: string;
  decision: WorklistDecision['decision'] | null;
  email?: string;
  suggested?: ShownCandidate;
}

/** Returns the changes that lead from one state of an account to another. The first candidate goes with them, for the precision of its rule. */
export function changesBetween(
  before: AccountState,
  after: AccountState,
  row: Pick<WorklistRow, 'identity' | 'candidates'>,
): SentChange[] {
  const { identity } = row;
  const [first] = row.candidates;
  const suggested = first ? { suggested: first } : {};
  const isSame = before.decision === after.decision && before.email === after.email;
  const removed = before.rejected.filter((email) => !after.rejected.includes(email));
  const added = after.rejected.filter((email) => !before.rejected.includes(email));
  return [
    ...removed.map((email) => ({ identity, decision: null, email })),
    ...(!isSame && after.decision === null ? [{ identity, decision: null }] : []),
    ...added.map((email) => ({ identity, decision: 'not_this_person' as const, email, ...suggested })),
    ...(!isSame && after.decision !== null
      ? [
          {
            identity,
            decision: after.decision,
            ...(after.email === null ? {} : { email: after.email }),
            ...suggested,
          },
        ]
      : []),
  ];
}

/** Returns the states of accounts by the decisions that are stored. A `later` from before the worklist is over, unless the worklist has it. */
export function statesOf(
  decisions: readonly WorklistDecision[],
  rows: ReadonlyMap<string, WorklistRow>,
  madeAt: string,
): Map<string, AccountState> {
  const states = new Map<string, AccountState>();
  for (const { identity, decision, email, decidedAt } of decisions) {
    const row = rows.get(identity);
    if (!row) continue;
    const isOver = decision === 'later' && decidedAt < madeAt && row.decision !== 'later';
    if (isOver) continue;
    const state = states.get(identity) ?? OPEN;
    const next =
      decision === 'not_this_person'
        ? { ...state, rejected: [...state.rejected, email ?? ''].sort() }
        : { ...state, decision, email };
    states.set(identity, next);
  }
  return states;
}

/** How many accounts there are of each kind. */
export interface Progress {
  total: number;
  done: number;
  owner: number;
  bot: number;
  left: number;
  later: number;
  /** Accounts none of whose candidates is the owner. */
  rejected: number;
}

export function countProgress(
  rows: readonly WorklistRow[],
  stateOf: (identity: string) => AccountState,
): Progress {
  const counts = { total: rows.length, done: 0, owner: 0, bot: 0, left: 0, later: 0, rejected: 0 };
  for (const row of rows) {
    const state = stateOf(row.identity);
    if (!isDone(row, state)) continue;
    counts.done += 1;
    counts[state.decision ?? 'rejected'] += 1;
  }
  return counts;
}

/** The decisions in words. */
export const WORDS: Record<WorklistDecision['decision'], string> = {
  owner: 'owner',
  not_this_person: 'not this person',
  bot: 'bot',
  left: 'left',
  later: 'later',
};

/** Returns the decisions about an account in words; empty if it is open. */
export function describeState(row: WorklistRow, state: AccountState): string {
  if (state.decision === 'owner') return `owner ${state.email}`;
  if (state.decision !== null) return WORDS[state.decision];
  return isDone(row, state) ? 'none of the candidates' : '';
}
