import { LRUCache } from 'lru-cache';

/** An end that a sender reports, in milliseconds since 1970. */
interface ReportedEnd {
  /** Of what the message says, without its times. */
  digest: string;
  startedAt: number;
  endedAt: number;
  receivedAt: number;
}

/** Ends that are remembered, of all integrations, and integrations that were reported. */
const MAX_REMEMBERED = 1_000;
/** So often an end must move. Those of two replicas differ, and alternate. */
const MOVES = 3;
/** Ends of this time ago may be on their way. */
const LEAST_MS = 30_000;
const REPORT_EVERY_MS = 60 * 60_000;

/**
 * Finds senders whose clocks are behind. A sender that says until when an alert lives moves that time on while the alert lasts, and an end that it
 * reports stays the same. So an end that moves on is the life of an alert that is over when it arrives.
 */
export class SenderClocks {
  readonly #ends = new LRUCache<string, { startedAt: number; endedAt: number; moves: number }>({
    max: MAX_REMEMBERED,
  });
  readonly #reportedAt = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  /** Returns by how many milliseconds at least the clock of an integration's sender is behind, at most once an hour; null if that is not known. */
  lagOf(webhookId: string, { digest, startedAt, endedAt, receivedAt }: ReportedEnd): number | null {
    if (receivedAt - endedAt < LEAST_MS) return null;
    const key = `${webhookId} ${digest}`;
    const before = this.#ends.get(key);
    const isSame = before?.startedAt === startedAt;
    const moves = isSame ? before.moves + (endedAt > before.endedAt ? 1 : 0) : 0;
    this.#ends.set(key, {
      startedAt,
      endedAt: isSame ? Math.max(endedAt, before.endedAt) : endedAt,
      moves,
    });
    if (moves < MOVES) return null;
    if (receivedAt - (this.#reportedAt.get(webhookId) ?? 0) < REPORT_EVERY_MS) return null;
    this.#reportedAt.set(webhookId, receivedAt);
    return receivedAt - endedAt;
  }
}
