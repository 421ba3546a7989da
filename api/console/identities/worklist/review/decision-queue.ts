import { authorization, requestJson } from '../../../http/request.ts';
import { RequestFailure } from '../../../http/request-failure.ts';
import { currentSession, onSessionChange } from '../../../session/session.ts';
import type { WorklistRow } from '../parse-worklist.ts';
import { type AccountState, changesBetween, OPEN, type SentChange } from './account-state.ts';
import { decisionsPath } from './load-worklist.ts';

/** Decisions that come one after the other are sent together. In milliseconds. */
const COLLECT_MS = 1_500;
/** Changes in one request. The browser completes requests of up to 64 KiB after the page is left. */
const MOST = 200;
const KEEPALIVE_BYTES = 60_000;
/** How long to wait after the first failed request, and at most. */
const RETRY_MS = 2_000;
const MOST_RETRY_MS = 30_000;
const TIMEOUT_S = 20;

interface Account {
  row: WorklistRow;
  /** What the API has. */
  saved: AccountState;
  wanted: AccountState;
  /** Why the API rejects what is wanted; null if it does not. */
  problem: string | null;
}

/** What a page shows of the queue. It is replaced when anything changes. */
export interface QueueState {
  /** Accounts with decisions that are not saved. */
  unsaved: number;
  /** Why the last request failed; null if it did not. */
  failure: unknown;
  isSending: boolean;
}

const IDLE: QueueState = { unsaved: 0, failure: null, isSending: false };

/**
 * The decisions about accounts of one account system. They are sent a moment later, several at once. What cannot be sent stays, also when the
 * page is left, and is sent again until it is saved.
 */
export class DecisionQueue {
  readonly #path: string;
  readonly #accounts = new Map<string, Account>();
  readonly #listeners = new Set<() => void>();
  #state = IDLE;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  /** The key of the person who decides: the last decisions are sent with it after a sign-out. */
  #headers = authorization();

  constructor(integrationId: number) {
    this.#path = decisionsPath(integrationId);
    window.addEventListener('online', () => void this.send());
    window.addEventListener('pagehide', () => void this.send(true));
    window.addEventListener('beforeunload', (event) => {
      if (this.#state.unsaved > 0) event.preventDefault();
    });
    onSessionChange(() => this.#noteSession());
  }

  stateOf = (identity: string): AccountState => this.#accounts.get(identity)?.wanted ?? OPEN;
  problemOf = (identity: string): string | null => this.#accounts.get(identity)?.problem ?? null;
  state = (): QueueState => this.#state;
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Takes over what the API has. Decisions that are not saved yet stay. */
  load(states: ReadonlyMap<string, AccountState>, rows: ReadonlyMap<string, WorklistRow>): void {
    for (const [identity, account] of this.#accounts)
      if (!isUnsaved(account)) this.#accounts.delete(identity);
    for (const [identity, saved] of states) {
      const account = this.#accounts.get(identity);
      const row = account?.row ?? rows.get(identity);
      if (row) this.#accounts.set(identity, { row, saved, wanted: account?.wanted ?? saved, problem: null });
    }
    this.#change({});
  }

  decide(row: WorklistRow, wanted: AccountState): void {
    const saved = this.#accounts.get(row.identity)?.saved ?? OPEN;
    this.#accounts.set(row.identity, { row, saved, wanted, problem: null });
    this.#change({});
    this.#sendIn(COLLECT_MS);
  }

  /** @param isLeaving whether the page is left, and the browser completes the request */
  async send(isLeaving = false): Promise<void> {
    if (this.#state.isSending && !isLeaving) return;
    const batch = this.#batch(isLeaving);
    if (batch.changes.length === 0) return;
    clearTimeout(this.#timer);
    this.#change({ isSending: true });
    try {
      const headers = this.#headers;
      const options = isLeaving ? { keepalive: true } : { timeoutS: TIMEOUT_S };
      await requestJson(this.#path, { method: 'PUT', json: batch.changes, headers, ...options });
      for (const { account, wanted } of batch.accounts) account.saved = wanted;
      this.#failures = 0;
      this.#change({ isSending: false, failure: null });
      if (this.#state.unsaved > 0) this.#sendIn(0);
    } catch (error) {
      this.#fail(error, batch.changes);
    }
  }

  #batch(isLeaving: boolean) {
    const accounts: { account: Account; wanted: AccountState }[] = [];
    const changes: SentChange[] = [];
    let bytes = 0;
    for (const account of this.#accounts.values()) {
      if (!isUnsaved(account) || account.problem !== null) continue;
      const more = changesBetween(account.saved, account.wanted, account.row);
      bytes += new TextEncoder().encode(JSON.stringify(more)).length;
      if (changes.length + more.length > MOST || (isLeaving && bytes > KEEPALIVE_BYTES)) break;
      changes.push(...more);
      accounts.push({ account, wanted: account.wanted });
    }
    return { accounts, changes };
  }

  /** Notes which decisions are invalid, and sends the others again. Other failures end by themselves, or the person sends again. */
  #fail(error: unknown, changes: readonly SentChange[]): void {
    const failure = error instanceof RequestFailure ? error : null;
    const invalid = failure?.status === 400 ? failure.errors : [];
    for (const { index, message } of invalid) {
      const account = index === undefined ? undefined : this.#accounts.get(changes[index]?.identity ?? '');
      if (account) account.problem = message;
    }
    const areKnown = invalid.some(({ index }) => index !== undefined);
    this.#change({ isSending: false, failure: areKnown ? null : error });
    if (areKnown) this.#sendIn(0);
    else if (failure === null || failure.isTemporary) {
      this.#sendIn(Math.min(RETRY_MS * 2 ** this.#failures, MOST_RETRY_MS));
      this.#failures += 1;
    }
  }

  #sendIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.send(), ms);
  }

  /** After a sign-out nothing may be sent for the next person. If the key has expired, another one sends what is left. */
  #noteSession(): void {
    const { key, endedBecause } = currentSession();
    if (key !== null) {
      this.#headers = authorization();
      this.#sendIn(0);
    } else if (endedBecause === null) {
      void this.send(true);
      queues.delete(this.#path);
      this.#accounts.clear();
      this.#change({ failure: null });
      clearTimeout(this.#timer);
    }
  }

  #change(changes: Partial<QueueState>): void {
    const unsaved = [...this.#accounts.values()].filter(isUnsaved).length;
    this.#state = { ...this.#state, ...changes, unsaved };
    for (const listener of this.#listeners) listener();
  }
}

const isUnsaved = ({ saved, wanted, row }: Account): boolean =>
  saved !== wanted && changesBetween(saved, wanted, row).length > 0;

/** They outlive the pages, so that what is not saved yet is saved after the page is left. */
const queues = new Map<string, DecisionQueue>();

export function queueOf(integrationId: number): DecisionQueue {
  const path = decisionsPath(integrationId);
  const queue = queues.get(path) ?? new DecisionQueue(integrationId);
  queues.set(path, queue);
  return queue;
}
