import type { Belief } from './beliefs.js';
import type { Lane } from './lanes.js';
import type { EndState } from './waiting-messages.js';

/** A request of a message. */
interface Attempt {
  transitionId: number;
  number: number;
}

/** A request that is about to be sent. */
export interface BegunAttempt extends Attempt {
  /** The bytes that all attempts of the message have, except those of a digest; null if they are stored. */
  body: Buffer | null;
  /** Other messages that the request tells too. */
  digested: readonly number[];
}

type ToldBelief = Pick<Belief, 'keyId' | 'alertId' | 'isFiring' | 'severity'>;

/** What became of an attempt. */
export interface AttemptResult extends Attempt {
  /** How long ago it began, in milliseconds. */
  agoMs: number;
  tookMs: number;
  outcome: string;
  status: number | null;
  response: string | null;
  /** Null: the message ends, as `end` says. */
  againInSeconds: number | null;
  end: EndState | null;
  /** What the destination knows now; null if it is the same as before. */
  belief: ToldBelief | null;
  /** Other messages that the request told too. */
  digested: readonly { transitionId: number; belief: ToldBelief | null }[];
  /** Whether the attempt counts: whether it was the message's or the destination's turn to fail. */
  isCounted: boolean;
}

/** How attempts in a lane go. */
export interface LaneHealth {
  /** How many failed in a row. */
  failures: number;
  /** Whether one has succeeded since this was written last. */
  hasSucceeded: boolean;
  /** In how many seconds the next one is allowed; null: at once. */
  probeInSeconds: number | null;
  /** Why none is made until somebody resumes it. */
  stopped: string | null;
}

/** What a worker writes about its lane at once. */
export interface LaneWrite {
  lane: Pick<Lane, 'destinationId' | 'lease'>;
  results: readonly AttemptResult[];
  /** Messages that end without a request. */
  ended: readonly { transitionId: number; state: EndState; reason: string; detail?: string }[];
  /** Keys whose messages before the newest end. */
  superseded: readonly { keyId: string; newest: number }[];
  /** Keys whose messages are not due before a time. */
  postponed: readonly { keyId: string; dueAt: Date }[];
  /** Requests that are sent after this is written. They are made for this revision of the destination. */
  begun: readonly BegunAttempt[];
  revision: number;
  /** Requests of {@link begun} that were not sent after all. */
  unsent: readonly (Attempt & { digested: readonly number[] })[];
  /** Null: as it is. */
  health: LaneHealth | null;
  /** Gives the lane back, with the time when its next message is due. */
  release: {
    /** Nobody takes it for so many seconds. */
    restSeconds: number;
    /** Not if a message is due now. */
    unlessDue: boolean;
    /** After how long the destination is told again of an alert that still fires; null: never. */
    repeatSeconds: number | null;
  } | null;
}

/**
 * What became of it. `lost`: another worker has the lane, so nothing was written, and that one decides. `changed`: the destination was deleted or
 * changed, such as paused, so nothing may be sent; all else was written. `kept`: the lane was not given back, because a message is due.
 */
export type Written = 'written' | 'kept' | 'changed' | 'lost';
