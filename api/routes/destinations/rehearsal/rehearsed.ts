import type { Destination } from '../../../../db/outbox/destinations.js';
import { shownAlert } from '../../../../workers/outbox/alert-then.js';
import { decideNews } from '../../../../workers/outbox/decide.js';
import { digestAbove } from '../../../../workers/outbox/digest.js';
import { detailOf, drawOwn, judge, valuesOf } from '../../../../workers/outbox/drawn.js';
import { CUT_NOTE } from '../../../../workers/outbox/presets/cutter.js';
import type { ChangeType, Preset, Told } from '../../../../workers/outbox/presets/preset.js';
import { repeatSeconds } from '../../../../workers/outbox/repeats.js';
import { isSevereEnough, isWanted, settlesInMs } from '../../../../workers/outbox/wanted.js';
import type { Change } from './changes.js';
import type { Rehearsal, RehearsedMessage } from './schema.js';

/** What decides who is told of what, and how, of a destination that need not be saved. */
export type RehearsedSettings = Pick<
  Destination,
  | 'webhookIds'
  | 'types'
  | 'severityAtLeast'
  | 'filter'
  | 'body'
  | 'mode'
  | 'settleSeconds'
  | 'ratePerMinute'
  | 'repeatEveryMinutes'
  | 'digestAbove'
> & { preset: Preset };

/** Returns what a rehearsal does not consider although a destination with these settings has it. */
export function notConsidered(settings: RehearsedSettings): Rehearsal['notConsidered'] {
  const { preset, mode } = settings;
  return [
    'mutes' as const,
    ...(mode === 'latest' ? (['superseding'] as const) : []),
    ...(repeatSeconds(settings, preset) === null ? [] : (['repeats'] as const)),
    ...(Number.isFinite(digestAbove(settings, preset)) ? (['digests'] as const) : []),
  ];
}

/** What would come of a change of an alert. */
export interface Outcome {
  message: RehearsedMessage;
  /** When it would be sent, in milliseconds since 1970. */
  dueAt: number;
  judgement: Judgement | null;
}

/** What the filters of a destination say of a change. */
interface Judgement {
  filteredBy: 'severity' | 'filter' | null;
  /** The clause that is false. */
  clause: string | null;
  /** Why the filter cannot decide. */
  fault: string | null;
  detail: string | null;
}

type Unsent = Pick<RehearsedMessage, 'state' | 'reason' | 'detail'>;

/** Tells a destination of changes by the rules of the workers, without sending anything. */
export class Rehearsed {
  readonly #settings: RehearsedSettings;
  readonly #publicUrl: string;
  readonly #names: ReadonlyMap<string, { name: string }>;
  #sequence = 0;

  /** @param names of integrations, by id */
  constructor(settings: RehearsedSettings, publicUrl: string, names: ReadonlyMap<string, { name: string }>) {
    this.#settings = settings;
    this.#publicUrl = publicUrl;
    this.#names = names;
  }

  /** Returns what comes of the changes of one alert, without those that the destination is not to hear of. */
  *outcomes(changes: readonly Change[]): Generator<Outcome> {
    let belief: { isFiring: true; alertId: string; severity: string | null } | undefined;
    for (const [index, change] of changes.entries()) {
      const { kind, alert } = change;
      const isTold = belief !== undefined;
      if (!isWanted(this.#settings, { kind, webhookId: alert.webhookId, mayKnow: isTold })) continue;
      const waitMs = settlesInMs(this.#settings, change);
      const isOverBefore = (changes[index + 1]?.at ?? Number.POSITIVE_INFINITY) < change.at + waitMs;
      const judgement = kind === 'resolved' ? null : this.#judge(change);
      let type: ChangeType = `alert.${kind}`;
      let unsent: Unsent | null = null;
      if (kind === 'resolved') {
        if (!isTold) unsent = { state: 'superseded', reason: 'not_told', detail: null };
      } else if (isOverBefore) {
        unsent = { state: 'superseded', reason: 'settled', detail: null };
      } else {
        const filteredBy = judgement?.filteredBy ?? null;
        const decided = decideNews(this.#settings, { alert, belief, filteredBy });
        if (typeof decided === 'string') type = decided;
        else unsent = unsentBecause(decided.reason, judgement);
      }
      const message = this.#message(change, type, unsent ?? this.#draw(change, type, judgement));
      if (message.state === 'sent') belief = { isFiring: true, alertId: alert.id, severity: alert.severity };
      yield { message, dueAt: change.at + waitMs, judgement };
    }
  }

  /** Returns what comes of an alert as if nobody had been told of it before. A body is drawn in any case. */
  asNews(change: Change): RehearsedMessage {
    const type = `alert.${change.kind}` as const;
    const judgement = this.#judge(change);
    const reason = judgement.filteredBy ?? (this.#settings.types.includes(type) ? null : 'type');
    const drawn = this.#draw(change, type, judgement);
    return this.#message(change, type, { ...drawn, ...(reason && unsentBecause(reason, judgement)) });
  }

  #judge(change: Change): Judgement {
    const none = { clause: null, fault: null, detail: null };
    if (!isSevereEnough(this.#settings, change.alert)) return { ...none, filteredBy: 'severity' };
    const { filter } = this.#settings;
    if (filter === null) return { ...none, filteredBy: null };
    const verdict = judge(filter, valuesOf(this.#told(change, `alert.${change.kind}`)));
    const detail = detailOf(verdict);
    return verdict.passes
      ? { filteredBy: null, clause: null, fault: verdict.fault, detail }
      : { filteredBy: 'filter', clause: verdict.clause, fault: null, detail };
  }

  #draw(change: Change, type: ChangeType, judgement: Judgement | null) {
    const { preset, body: own } = this.#settings;
    const told = this.#told(change, type);
    const drawn = own && preset.drawsOwnBody ? drawOwn(own, told) : preset.render(told, null);
    if ('fault' in drawn) return { state: 'dead', reason: 'body', detail: drawn.fault } as const;
    return {
      state: 'sent',
      reason: null,
      detail: judgement?.fault ? judgement.detail : null,
      body: drawn.text,
      bytes: Buffer.byteLength(drawn.text),
      isCut: !own && drawn.text.includes(CUT_NOTE),
    } as const;
  }

  #told({ at, alert }: Change, type: ChangeType): Told {
    const shown = {
      webhookName: this.#names.get(alert.webhookId)?.name ?? '',
      link: `${this.#publicUrl}/alerts/${alert.id}`,
    };
    this.#sequence += 1;
    return {
      id: 'rehearsal',
      type,
      at: new Date(at).toISOString(),
      sequence: this.#sequence,
      alert: shownAlert(alert, shown),
      isTest: false,
    };
  }

  #message(
    { at, alert: { id, title, webhookId } }: Change,
    type: ChangeType,
    outcome: Unsent & Partial<RehearsedMessage>,
  ): RehearsedMessage {
    const nothing = { body: null, bytes: null, isCut: false };
    const about = { alertId: id, alertTitle: title, webhookId, at: new Date(at).toISOString(), type };
    return { ...about, ...nothing, ...outcome };
  }
}

const unsentBecause = (reason: string, judgement: Judgement | null): Unsent => ({
  state: reason === 'unchanged' ? 'superseded' : 'filtered',
  reason,
  detail: reason === 'filter' ? (judgement?.detail ?? null) : null,
});
