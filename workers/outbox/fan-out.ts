import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Database } from '../../db/client/connect.js';
import { readNow } from '../../db/client/now.js';
import { inTransaction } from '../../db/client/transaction.js';
import { knownOf } from '../../db/outbox/beliefs.js';
import { allDestinations, type Destination } from '../../db/outbox/destinations.js';
import {
  beginTaking,
  deleteFromOutbox,
  type JobEnd,
  NO_WEBHOOK,
  type NumberedTransition,
  nextInOutbox,
} from '../../db/outbox/outbox.js';
import { isAboutDestination } from '../../db/outbox/own-integration.js';
import {
  insertMessages,
  insertTransitions,
  type NewMessage,
  type StoredTransition,
} from '../../db/outbox/transitions.js';
import { integrationsOf } from '../../db/series/told-alerts.js';
import type { FilterVerdict, MessageValues } from '../mapping/index.js';
import { type AlertThen, alertsThen, shownAlert } from './alert-then.js';
import { audienceOf, Known } from './audience.js';
import { detailOf, judge, valuesOf } from './drawn.js';
import { presetOf } from './presets/index.js';
import { isSevereEnough, isWanted, settlesInMs } from './wanted.js';

type Change = Exclude<StoredTransition['kind'], 'finished'>;

const NOT_READ = new Date(0);
/** Transitions in one transaction. */
const PAGE = 400;
/** After so long, filters let other work of the process run. */
const SLICE_MS = 20;

/** Makes messages of the next transitions in the outbox. Returns whether there may be more; null if another worker takes them. */
export function fanOut(database: Database): Promise<boolean | null> {
  return inTransaction(database, async (transaction) => {
    if (!(await beginTaking(transaction))) return null;
    const { ids, transitions, ends } = await nextInOutbox(transaction, PAGE);
    if (ids.length === 0) return false;
    await deleteFromOutbox(transaction, ids);
    await tellEnds(transaction, ends);
    const destinations = await allDestinations(database, transaction);
    if (destinations.length > 0) await tell(transaction, transitions, destinations);
    return ids.length === PAGE;
  });
}

/** Tells the destinations that the requests of jobs have named. */
async function tellEnds(
  transaction: Knex.Transaction,
  ends: readonly (JobEnd & { id: number })[],
): Promise<void> {
  const webhookId = NO_WEBHOOK;
  await insertTransitions(
    transaction,
    ends.map(({ id, jobId, job }) => ({ id, kind: 'finished', webhookId, alertId: jobId, alert: job })),
  );
  await insertMessages(
    transaction,
    ends.map(({ id, jobId, destinationId }) => ({
      destinationId,
      transitionId: id,
      keyId: jobId,
      state: 'waiting',
      isFiltered: false,
      detail: null,
      waitMs: 0,
    })),
  );
}

async function tell(
  transaction: Knex.Transaction,
  taken: readonly NumberedTransition[],
  destinations: readonly Destination[],
): Promise<void> {
  const then = await alertsThen(transaction, taken);
  const integrations = await integrationsOf(transaction, [
    ...new Set(taken.map(({ webhookId }) => webhookId)),
  ]);
  const knowledge = await knownOf(
    transaction,
    taken.flatMap(({ kind, seriesId }) =>
      (kind === 'refolded' || kind === 'resolved') && seriesId !== null ? seriesId : [],
    ),
  );
  const known = new Known(knowledge);
  const audience = audienceOf(destinations);
  const transitions: StoredTransition[] = [];
  const messages: NewMessage[] = [];
  const now = destinations.some(({ filter, settleSeconds }) => filter !== null || settleSeconds > 0)
    ? await readNow(transaction)
    : NOT_READ;
  let sliceEndsAt = performance.now() + SLICE_MS;
  for (const transition of taken) {
    const { id, webhookId, seriesId, destinationId: only } = transition;
    const alert = then.get(id);
    const integration = integrations.get(webhookId);
    if (!alert || !integration) continue;
    const kind = kindOf(transition, alert);
    const keyId = seriesId ?? alert.id;
    const own: NewMessage[] = [];
    let values: MessageValues | null = null;
    for (const destination of audience.of({ webhookId, only, knowing: known.destinationsOf(keyId) })) {
      const { belief, isUndecided } = known.of(destination.id, keyId);
      const mayKnow = belief?.isFiring === true || isUndecided;
      const isKept = isRefresh(kind, destination);
      if (!isKept && !isWanted(destination, { kind, webhookId, mayKnow })) continue;
      // Who knows nothing of it is told nothing of an alert that was over before, and who knows it all, nothing again.
      const isNews =
        transition.kind !== 'refolded' ||
        isUndecided ||
        (kind === 'fired'
          ? !belief?.isFiring || belief.alertId !== alert.id || belief.severity !== alert.severity
          : belief?.isFiring === true);
      if (!isNews) continue;
      if (performance.now() > sliceEndsAt) {
        await yieldToOthers();
        sliceEndsAt = performance.now() + SLICE_MS;
      }
      // Who was told of the alert hears of its end.
      const isJudged = kind !== 'resolved' && !integration.isMuted;
      const isSevere = isSevereEnough(destination, alert);
      let verdict: FilterVerdict | null = null;
      if (isJudged && isSevere && destination.filter !== null) {
        values ??= valuesOf({
          type: `alert.${kind}`,
          at: now.toISOString(),
          sequence: id,
          isTest: false,
          alert: shownAlert(alert, { webhookName: integration.name, link: null }),
        });
        verdict = judge(destination.filter, values);
      }
      own.push({
        destinationId: destination.id,
        transitionId: id,
        keyId,
        state: isAboutDestination(alert, destination.id)
          ? 'filtered'
          : integration.isMuted && !isKept
            ? 'muted'
            : 'waiting',
        isFiltered: isJudged && (!isSevere || verdict?.passes === false),
        detail: verdict && detailOf(verdict),
        waitMs: settlesInMs(destination, { kind, alert, at: now.getTime() }),
      });
    }
    if (own.length === 0) continue;
    messages.push(...own);
    transitions.push({
      id,
      kind,
      webhookId,
      alertId: alert.id,
      alert: transition.alertThen ?? JSON.stringify(alert),
    });
  }
  await insertTransitions(transaction, transitions);
  await insertMessages(transaction, messages);
}

const kindOf = ({ kind }: NumberedTransition, { status }: AlertThen): Change => {
  // Also of an alert that is gone.
  if (status === 'resolved') return 'resolved';
  return kind === 'refolded' ? 'fired' : kind;
};

/** Returns whether a message keeps an alert at a receiver that would end it otherwise. Neither a mute nor a filter keeps it back: it tells nobody anything new. */
const isRefresh = (kind: StoredTransition['kind'], { preset }: Destination): boolean =>
  kind === 'repeated' && presetOf(preset)?.refreshSeconds !== undefined;
