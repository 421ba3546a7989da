import type { Database } from '../../../../db/client/connect.js';
import { Deadline } from '../../../../db/client/deadline.js';
import { isStatementTimeout, isTooSlow } from '../../../../db/client/errors.js';
import { pastAlerts } from '../../../../db/events/alerts/past-alerts.js';
import type { TimePosition } from '../../../../db/events/newest-first.js';
import { integrationsOf } from '../../../../db/series/told-alerts.js';
import { toThen } from '../../../../workers/outbox/alert-then.js';
import type { Pause } from '../../../preview/one-at-a-time.js';
import { changesOf } from './changes.js';
import { notConsidered, Rehearsed, type RehearsedSettings } from './rehearsed.js';
import type { Rehearsal, RehearsedMessage } from './schema.js';
import { Tally } from './tally.js';

/** Alerts that are looked at, and for how long. */
const [MAX_ALERTS, MAX_MS] = [20_000, 5_000];
const PAGE = 200;
/** After so long, other requests get their turn. */
const SLICE_MS = 15;
const DAY_MS = 24 * 60 * 60_000;
/** The last alerts are looked for in this time. */
const RECENT_DAYS = 90;

/** What a rehearsal needs. */
export interface Rehearsing {
  database: Database;
  publicUrl: string;
  /** The right time. */
  now: number;
  pause: Pause;
}

/** Returns what a destination would have got of the alerts that opened in the last days, as far as that can be found in time. */
export async function rehearse(
  { database, publicUrl, now, pause }: Rehearsing,
  settings: RehearsedSettings,
  days: number,
): Promise<Rehearsal> {
  const { webhookIds, ratePerMinute } = settings;
  const deadline = new Deadline(MAX_MS);
  const reading = { database, deadline };
  const from = new Date(now - days * DAY_MS);
  const names = new Map<string, { name: string }>();
  const rehearsed = new Rehearsed(settings, publicUrl, names);
  const tally = new Tally();
  let [alerts, isComplete, sliceEndsAt] = [0, false, performance.now() + SLICE_MS];
  let last: TimePosition | null = null;
  try {
    for (; alerts < MAX_ALERTS && !isComplete; ) {
      const page = await pastAlerts(
        database,
        { webhookIds, from, order: 'asc', after: last, limit: PAGE },
        deadline,
      );
      await addNames(
        database,
        names,
        page.map(({ webhookId }) => webhookId),
      );
      for (const alert of page) {
        for (const outcome of rehearsed.outcomes(await changesOf(reading, alert))) tally.add(outcome);
        alerts += 1;
        last = alert;
        deadline.leftMs();
        if (performance.now() < sliceEndsAt) continue;
        await pause();
        sliceEndsAt = performance.now() + SLICE_MS;
      }
      isComplete = page.length < PAGE;
    }
  } catch (error) {
    if (!isTooSlow(error) && !isStatementTimeout(error)) throw error;
  }
  const until = isComplete ? new Date(now) : (last?.receivedAt ?? from);
  return {
    from: from.toISOString(),
    until: until.toISOString(),
    isComplete,
    notConsidered: notConsidered(settings),
    alerts,
    ...tally.result(ratePerMinute),
  };
}

/** Returns what a destination would get of the newest alerts, if nobody had told it of them before. */
export async function previewLast(
  { database, publicUrl, now, pause }: Rehearsing,
  settings: RehearsedSettings,
  count: number,
): Promise<RehearsedMessage[]> {
  const { webhookIds } = settings;
  const from = new Date(now - RECENT_DAYS * DAY_MS);
  const alerts = await pastAlerts(
    database,
    { webhookIds, from, order: 'desc', limit: count },
    new Deadline(MAX_MS),
  );
  const names = new Map<string, { name: string }>();
  await addNames(
    database,
    names,
    alerts.map(({ webhookId }) => webhookId),
  );
  const rehearsed = new Rehearsed(settings, publicUrl, names);
  const messages: RehearsedMessage[] = [];
  for (const alert of alerts) {
    await pause();
    const kind = alert.status === 'resolved' ? 'resolved' : 'fired';
    const at = (alert.resolvedAt ?? alert.lastEventAt).getTime();
    messages.push(rehearsed.asNews({ kind, at, alert: toThen(alert) }));
  }
  return messages;
}

async function addNames(
  database: Database,
  names: Map<string, { name: string }>,
  webhookIds: readonly string[],
): Promise<void> {
  const unknown = [...new Set(webhookIds)].filter((id) => !names.has(id));
  if (unknown.length === 0) return;
  for (const [id, integration] of await integrationsOf(database, unknown)) names.set(id, integration);
}
