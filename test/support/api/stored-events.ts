import { pino } from 'pino';
import { uuidv7 } from 'uuidv7';
import type { Database } from '../../../db/client/connect.js';
import { toEventId } from '../../../db/events/alerts/alert-id.js';
import { buildEvent } from '../../../workers/events/store/build-event.js';
import { CurrentMappings } from '../../../workers/events/store/current-mappings.js';
import { inMemoryBatch } from '../../../workers/events/store/event-batch.js';
import { WriteGroup } from '../../../workers/events/store/write-group.js';

/** Stores payloads as events of an integration, received one second apart, as a worker would. Returns their ids. */
export async function storePayloads(
  database: Database,
  webhookId: string,
  payloads: readonly unknown[],
  firstAt = Date.now() - 3_600_000,
): Promise<string[]> {
  const mapping = (await new CurrentMappings(database).of([webhookId])).get(webhookId);
  const events = payloads.map((payload, number) => ({
    id: toEventId(uuidv7()),
    webhookId,
    receivedAt: firstAt + number * 1_000,
    raw: JSON.stringify(payload),
  }));
  const services = { database, log: pino({ level: 'silent' }) };
  await new WriteGroup(services, [inMemoryBatch(events)], (event) => buildEvent(event, mapping)).write();
  return events.map(({ id }) => id);
}
