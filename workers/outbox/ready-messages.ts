import type { Belief } from '../../db/outbox/beliefs.js';
import type { Destination } from '../../db/outbox/destinations.js';
import type { BegunAttempt } from '../../db/outbox/lane-write.js';
import type { DueMessage, WaitingMessage } from '../../db/outbox/waiting-messages.js';
import { type AlertThen, shownAlert } from './alert-then.js';
import { decide, decideOfJob, type Unsent } from './decide.js';
import type { Delivery } from './delivery.js';
import { byImportance, digestAbove } from './digest.js';
import type { LaneStore } from './lane-store.js';
import { messageId } from './message-id.js';
import type { Preset, Told, ToldJob } from './presets/preset.js';
import { type Prepared, prepareBody, prepareRequest } from './send.js';

/** A request that is to be sent. */
export interface Ready {
  message: WaitingMessage;
  /** Null: it is about a job. */
  alert: AlertThen | null;
  number: number;
  /** Whether the destination knows of a later transition of the key: this one was replayed. */
  isOld: boolean;
  preset: Preset;
  prepared: Prepared;
  /** Other messages that the request tells too. */
  digested: readonly Pick<Ready, 'message' | 'alert' | 'isOld'>[];
}

/** What becomes of messages that are due. */
export interface Decided {
  /** Null: the destination cannot be read. */
  ready: Ready[] | null;
  /** Those that end without a request. */
  ended: (Unsent & { transitionId: number; detail?: string })[];
}

/** Parts messages into those that are sent and those that end. */
export async function decideMessages(
  delivery: Delivery,
  destination: Destination,
  due: readonly DueMessage[],
  store: Pick<LaneStore, 'namesOf'>,
): Promise<Decided> {
  const told: ToTell[] = [];
  const jobs: { message: WaitingMessage; job: Pick<ToldJob, 'at' | 'previousStatus' | 'job'> }[] = [];
  const ended: Decided['ended'] = [];
  const preset = delivery.presetOf(destination.preset);
  for (const found of due) {
    const { message, transition } = found;
    if (!transition) {
      ended.push({ transitionId: message.transitionId, state: 'expired', reason: 'expired' });
      continue;
    }
    const { kind } = transition;
    if (kind === 'finished') {
      const decided = decideOfJob(destination, found);
      if (typeof decided !== 'string') ended.push({ transitionId: message.transitionId, ...decided });
      else jobs.push({ message, job: JSON.parse(transition.alert) });
      continue;
    }
    const alert: AlertThen = JSON.parse(transition.alert);
    const decided = decide(destination, { preset, alert, ...found, transition: { kind } });
    if (typeof decided !== 'string') ended.push({ transitionId: message.transitionId, ...decided });
    else {
      const isOld = (found.belief?.transitionId ?? 0) > message.transitionId;
      const { createdAt: at } = transition;
      const { before, belief: previous } = found;
      told.push({ message, alert, isOld, type: decided, at, before, previous });
    }
  }
  if (told.length === 0 && jobs.length === 0) return { ready: [], ended };
  const url = delivery.open(destination.url, destination.id);
  if (!preset || url === null) return { ready: null, ended };
  const nameOf = await store.namesOf([...new Set(told.map(({ alert }) => alert.webhookId))]);
  const shown = (alert: AlertThen): Told['alert'] =>
    shownAlert(alert, {
      webhookName: nameOf(alert.webhookId),
      link: delivery.publicUrl && `${delivery.publicUrl}/alerts/${alert.id}`,
    });
  const receiver = { ...delivery, destination, preset, url };
  const toldOf = ({ message: { transitionId, copy }, alert, type, at, before, previous }: ToTell): Told => ({
    id: messageId(transitionId, destination.id, copy),
    type,
    at: at.toISOString(),
    sequence: transitionId,
    alert: shown(alert),
    isTest: false,
    ...(before === null ? {} : { before: shown(JSON.parse(before)) }),
    ...(previous?.isFiring ? { previousId: messageId(previous.transitionId, destination.id) } : {}),
  });
  if (preset.renderDigest && told.length > digestAbove(destination, preset)) {
    // The attempts are those of the message that has had the fewest: the others may have some more.
    const [first, ...digested] = told.sort((one, other) => triesOf(one) - triesOf(other));
    if (!first) return { ready: [], ended };
    const link = delivery.publicUrl && `${delivery.publicUrl}/alerts`;
    const { contentType, text } = preset.renderDigest({
      told: [...told].sort(byImportance).map(toldOf),
      link,
    });
    const prepared = prepareBody(receiver, toldOf(first).id, { contentType, body: Buffer.from(text) });
    const { message, alert, isOld } = first;
    const number = message.attempts + 1;
    return { ready: [{ message, alert, isOld, number, preset, prepared, digested }], ended };
  }
  const toldOfJob = ({ message: { transitionId, copy }, job }: (typeof jobs)[number]): ToldJob => ({
    id: messageId(transitionId, destination.id, copy),
    sequence: transitionId,
    isTest: false,
    ...job,
  });
  const requests = [
    ...told.map((one) => ({ told: toldOf(one), ...one })),
    ...jobs.map((one) => ({ told: toldOfJob(one), alert: null, isOld: false, ...one })),
  ];
  const ready = requests.flatMap(({ message, alert, isOld, told }): Ready | [] => {
    const prepared = prepareRequest(receiver, told, message.body);
    if ('fault' in prepared) {
      const { transitionId } = message;
      ended.push({ transitionId, state: 'dead', reason: 'body', detail: prepared.fault });
      return [];
    }
    return { message, alert, isOld, number: message.attempts + 1, preset, prepared, digested: [] };
  });
  return { ready, ended };
}

interface ToTell {
  message: WaitingMessage;
  alert: AlertThen;
  isOld: boolean;
  type: Told['type'];
  at: Date;
  before: string | null;
  /** What the destination knows. */
  previous: Belief | undefined;
}

const triesOf = ({ message: { attempts, attemptsBefore } }: ToTell): number => attempts - attemptsBefore;

export const toBegun = ({ message, number, prepared, digested }: Ready): BegunAttempt => ({
  transitionId: message.transitionId,
  number,
  body: message.body === null || digested.length > 0 ? prepared.body : null,
  digested: idsOf(digested),
});

export const idsOf = (messages: Ready['digested']): number[] =>
  messages.map(({ message: { transitionId } }) => transitionId);
