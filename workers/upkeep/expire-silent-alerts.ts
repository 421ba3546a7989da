import type { Database } from '../../db/client/connect.js';
import { inTransaction } from '../../db/client/transaction.js';
import { deleteExpiries, dueExpiries, readExpiries } from '../../db/series/series-expiries.js';
import { type FiringPosition, silentAlerts } from '../../db/series/silent-alerts.js';
import { deleteOldPeriods, type Period, refusedForLoad } from '../../db/upkeep/listening.js';
import { expiryRules } from '../../db/webhooks/expiry-rules.js';
import { endAlerts } from '../events/series/end-alerts.js';
import { expiryOf } from '../events/series/expiry.js';
import { isOwnKey } from '../mapping/index.js';
import { type Heard, readHeard } from './heard.js';
import type { UpkeepTask } from './task.js';

/** Alerts in one transaction. */
const PAGE = 200;
/**
 * Ends alerts whose newest event, or integration, says when they expire, once the intake has heard nothing of them for as long as it says. Events that wait to be
 * stored count as heard. An alert ends when that time was over, not when upkeep found it.
 */
export const expireSilentAlerts: UpkeepTask = {
  name: 'expire-silent-alerts',
  async *run(services, turn) {
    const { database } = services;
    const rules = await expiryRules(database);
    yield 0;
    const heard = await readHeard(services, turn);
    if (heard) {
      const { periods } = heard;
      yield* expireAsEventsSay(database, heard);
      for (const [webhookId, ms] of rules) yield* expireOf(database, { webhookId, ms, periods });
    }
    await deleteOldPeriods(database);
  },
};

/** Ends the alerts whose newest event said until when they live. */
async function* expireAsEventsSay(
  database: Database,
  { until, periods }: Heard,
): AsyncGenerator<number, void> {
  const refusals = await refusedForLoad(database);
  for (let after: { expiresAt: number; seriesId: string } | null = null; ; ) {
    const due = await dueExpiries(database, until, { after, limit: PAGE });
    const ends = due.flatMap(({ alert }) => {
      if (!alert) return [];
      const { heardAt, expiresAt } = alert;
      const refusedAt = refusals.get(alert.series.webhookId) ?? 0;
      const end = expiryOf(alert, expiresAt - heardAt, periods, Math.max(heardAt, refusedAt));
      return end ? { ...end, heardAt } : [];
    });
    if (ends.length > 0) yield await inTransaction(database, (transaction) => endAlerts(transaction, ends));
    await deleteExpiries(
      database,
      due.filter(({ alert }) => alert === null).map(({ seriesId }) => seriesId),
    );
    const last = due.at(-1);
    if (!last || due.length < PAGE) return;
    after = last;
  }
}

async function* expireOf(
  database: Database,
  { webhookId, ms, periods }: { webhookId: string; ms: number; periods: readonly Period[] },
): AsyncGenerator<number, void> {
  const end = periods.at(-1)?.to;
  if (end === undefined) return;
  for (let after: FiringPosition | null = null; ; ) {
    const { alerts, last } = await silentAlerts(database, webhookId, new Date(end - ms), {
      after,
      limit: PAGE,
    });
    const ids = alerts.map(({ series }) => series.id);
    const said = await inTransaction(database, (transaction) => readExpiries(transaction, ids));
    const theirs = alerts.filter(
      ({ series, silentSince }) =>
        !isOwnKey(series.dedupKey) && said.get(series.id)?.receivedAt !== silentSince,
    );
    const ends = theirs.flatMap((alert) => expiryOf(alert, ms, periods) ?? []);
    if (ends.length > 0) yield await inTransaction(database, (transaction) => endAlerts(transaction, ends));
    if (!last) return;
    after = last;
  }
}
