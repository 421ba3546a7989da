import type { Logger } from 'pino';
import type { Database } from '../../db/client/connect.js';
import { beginSilence, endSilence, listSilences, watchedWebhooks } from '../../db/webhooks/silences.js';
import { storeReports } from '../events/store/report.js';
import { beginsSilence, dropsSilence, endsSilence, type Known } from './check-silence.js';

/**
 * Raises and resolves the silence of integrations by what is known up to a time. Yields after each integration how many reports it stored. A silence
 * that an event ended before it was looked at is not raised.
 */
export async function* watchSilence(
  services: { database: Database; log: Logger },
  known: Known,
): AsyncGenerator<number, void> {
  const { database } = services;
  const watched = await watchedWebhooks(database);
  const silences = await listSilences(database);
  const rules = new Map(watched.map((one) => [one.id, one]));
  for (const [webhookId, began] of silences) {
    const report = rules.has(webhookId)
      ? await endsSilence(database, { webhookId, began }, known)
      : dropsSilence(webhookId, known);
    if (!report) continue;
    await storeReports(services, [report]);
    await endSilence(database, webhookId);
    silences.delete(webhookId);
    yield 1;
  }
  for (const one of watched) {
    if (silences.has(one.id)) continue;
    const report = await beginsSilence(database, one, known);
    if (report) {
      await storeReports(services, [report]);
      await beginSilence(database, one.id, new Date(report.at));
    }
    yield report ? 1 : 0;
  }
}
