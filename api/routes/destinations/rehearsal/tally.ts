import { ResponseBudget } from '../../../preview/response-budget.js';
import type { Outcome } from './rehearsed.js';
import type { Rehearsal, RehearsedMessage } from './schema.js';

const MINUTE_MS = 60_000;
/** Messages with their bodies, and different faults. */
const [MAX_MESSAGES, MAX_FAULTS] = [50, 20];

type Faults = Map<string, { message: string; count: number; alertId: string }>;

/** Counts what would come of changes. */
export class Tally {
  readonly #unsent = new Map<string, Rehearsal['unsent'][number]>();
  readonly #days = new Map<string, { sent: number; unsent: number }>();
  readonly #minutes = new Map<number, number>();
  readonly #times: number[] = [];
  readonly #bodyFaults: Faults = new Map();
  readonly #filterFaults: Faults = new Map();
  readonly #messages: RehearsedMessage[] = [];
  readonly #budget = new ResponseBudget();
  #largest: number | null = null;
  #cut = 0;

  add({ message, dueAt, judgement }: Outcome): void {
    const { state, reason, alertId, bytes, isCut } = message;
    const day = new Date(dueAt).toISOString().slice(0, 10);
    const counts = this.#days.get(day) ?? { sent: 0, unsent: 0 };
    counts[state === 'sent' ? 'sent' : 'unsent'] += 1;
    this.#days.set(day, counts);
    if (judgement?.fault) note(this.#filterFaults, judgement.fault, alertId);
    if (state === 'sent') {
      const minute = Math.floor(dueAt / MINUTE_MS);
      this.#minutes.set(minute, (this.#minutes.get(minute) ?? 0) + 1);
      this.#times.push(dueAt);
      this.#largest = Math.max(this.#largest ?? 0, bytes ?? 0);
      if (isCut) this.#cut += 1;
    } else {
      const clause = reason === 'filter' ? (judgement?.clause ?? null) : null;
      const key = JSON.stringify([state, reason, clause]);
      const known = this.#unsent.get(key) ?? { state, reason: reason ?? '', clause, count: 0 };
      known.count += 1;
      this.#unsent.set(key, known);
      if (state === 'dead') note(this.#bodyFaults, message.detail ?? '', alertId);
    }
    const isShown = state === 'sent' || state === 'dead';
    if (isShown && this.#messages.length < MAX_MESSAGES) this.#messages.push(...this.#budget.fill([message]));
  }

  /** @param ratePerMinute null: unlimited */
  result(
    ratePerMinute: number | null,
  ): Omit<Rehearsal, 'from' | 'until' | 'isComplete' | 'notConsidered' | 'alerts'> {
    let busiest: { minute: number; sent: number } | null = null;
    for (const [minute, sent] of this.#minutes)
      if (!busiest || sent > busiest.sent || (sent === busiest.sent && minute < busiest.minute))
        busiest = { minute, sent };
    return {
      sent: this.#times.length,
      unsent: [...this.#unsent.values()].sort((one, other) => other.count - one.count),
      days: [...this.#days]
        .map(([day, counts]) => ({ day, ...counts }))
        .sort((one, other) => (one.day < other.day ? -1 : 1)),
      busiestMinute: busiest && {
        at: new Date(busiest.minute * MINUTE_MS).toISOString(),
        sent: busiest.sent,
      },
      rate: ratePerMinute === null ? null : waits(this.#times, ratePerMinute),
      largestBytes: this.#largest,
      cut: this.#cut,
      bodyFaults: [...this.#bodyFaults.values()],
      filterFaults: [...this.#filterFaults.values()],
      messages: this.#messages,
    };
  }
}

function note(faults: Faults, message: string, alertId: string): void {
  const known = faults.get(message);
  if (known) known.count += 1;
  else if (faults.size < MAX_FAULTS) faults.set(message, { message, count: 1, alertId });
}

/** Returns how long messages wait that are sent one after the other. */
function waits(times: readonly number[], perMinute: number): NonNullable<Rehearsal['rate']> {
  let [freeAt, longest, delayed] = [0, 0, 0];
  for (const time of [...times].sort((one, other) => one - other)) {
    const at = Math.max(time, freeAt);
    freeAt = at + MINUTE_MS / perMinute;
    longest = Math.max(longest, at - time);
    if (at - time > MINUTE_MS) delayed += 1;
  }
  return { perMinute, longestWaitSeconds: Math.ceil(longest / 1_000), delayed };
}
