import type { Logger } from 'pino';
import type { Database } from '../../../db/client/connect.js';
import { toEventId } from '../../../db/events/alerts/alert-id.js';
import { hashedId } from '../../../db/series/ends.js';
import { inMemoryBatch } from './event-batch.js';
import { type OwnItem, ownEvent } from './own-event.js';
import { WriteGroup } from './write-group.js';

/** Something that Muster itself reports about an integration. */
export interface Report {
  webhookId: string;
  /** When it began, in milliseconds since 1970. */
  at: number;
  /** What the event's body says; JSON. */
  body: Record<string, unknown>;
  item: OwnItem;
}

/** Stores reports as events, with their alerts. The same report is stored once, however often it is made. */
export async function storeReports(
  services: { database: Database; log: Logger },
  reports: readonly Report[],
): Promise<void> {
  if (reports.length === 0) return;
  const events = reports.map(({ webhookId, at, body, item }) => ({
    id: toEventId(hashedId(`${item.key} ${item.status} ${at}`, webhookId)),
    webhookId,
    receivedAt: at,
    raw: JSON.stringify(body),
  }));
  const items = new Map(events.map(({ id }, index) => [id, reports[index]?.item]));
  const group = new WriteGroup(services, [inMemoryBatch(events)], (event) => {
    const item = items.get(event.id);
    return ownEvent(event, item ? [item] : []);
  });
  await group.write();
}
