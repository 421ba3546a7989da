import { pino } from 'pino';
import type { Database } from '../../../db/client/connect.js';
import { alertId, toEventId } from '../../../db/events/alerts/alert-id.js';
import type { ItemStatus, NewEvent, NewItem } from '../../../db/events/new-event.js';
import { seriesId } from '../../../db/series/series.js';
import type { ExpiryRules } from '../../../workers/events/series/expiry.js';
import { withoutAlerts } from '../../../workers/events/store/build-event.js';
import { inMemoryBatch } from '../../../workers/events/store/event-batch.js';
import { WriteGroup } from '../../../workers/events/store/write-group.js';
import type { IntakeEvent } from '../../../workers/queues/contracts/alert-intake.js';

export const WEBHOOK = '0199c0de-0000-7000-8000-000000000000';
const ERROR = { field: null, code: 'mapping_failed', message: 'replaced' };
const NO_TEXTS = { title: null, severity: null, description: null, source: null, service: null };

/** What a test says about an item. */
export type ItemSpec = { dedupKey: string; status: ItemStatus } & Partial<NewItem>;

/** An event whose body lists its items. */
export const itemsEvent = (uuid: string, receivedAt: number, specs: readonly ItemSpec[]): IntakeEvent => ({
  id: toEventId(uuid),
  webhookId: WEBHOOK,
  receivedAt,
  raw: JSON.stringify(specs),
});

/** Returns the items of an event. */
export const itemsOf = (event: IntakeEvent): NewItem[] =>
  (JSON.parse(event.raw) as ItemSpec[]).map((spec, number) => ({
    ...NO_TEXTS,
    environment: null,
    team: null,
    ownerEmail: null,
    custom: null,
    faults: null,
    state: 'complete',
    revision: 1,
    ranks: '0000000',
    occurrence: null,
    final: false,
    ...spec,
    id: alertId(event.id, number).toLowerCase(),
    receivedAt: event.receivedAt,
    webhookId: event.webhookId,
    seriesId: seriesId(event.webhookId, spec.dedupKey),
  }));

const build = (event: IntakeEvent): NewEvent => ({
  ...withoutAlerts(event, 'failed', ERROR),
  state: 'normalized',
  faults: null,
  items: itemsOf(event),
});

/** Writes events in one group, like a worker: in two transactions if there are enough of them. */
export function writeEvents(
  database: Database,
  events: readonly IntakeEvent[],
  options: { minSplitEvents?: number; expiryRules?: ExpiryRules } = {},
): Promise<void> {
  const services = { database, log: pino({ level: 'silent' }) };
  return new WriteGroup(services, [inMemoryBatch(events)], build, options).write();
}
