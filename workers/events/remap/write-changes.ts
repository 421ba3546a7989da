import type { Knex } from 'knex';
import { alertsOfEvents, lockEvents, replaceAlerts } from '../../../db/events/events-to-remap.js';
import type { NewEvent } from '../../../db/events/new-event.js';
import type { TimePosition } from '../../../db/events/newest-first.js';
import { itemsOfEvents, upsertItems } from '../../../db/series/event-items.js';
import { markForRefold } from '../../../db/series/refold-marks.js';
import {
  countRepetitions,
  deleteExpiriesOf,
  type Repeated,
  readExpiries,
  type StoredExpiry,
  writeExpiries,
} from '../../../db/series/series-expiries.js';
import { deleteItems } from '../../../db/series/series-items.js';
import { expiriesOf } from '../series/expiry.js';
import { compareEvent, type EventChange, NO_CHANGE } from './compare-event.js';
import { type Difference, differencesOf } from './differences.js';

/** One stored event of a remap. */
export interface RemapEvent {
  place: TimePosition;
  /** The event as it is mapped now; null if it is skipped. */
  mapped: NewEvent | null;
  /** How many of its alerts are other ones because what was looked up has changed. */
  changedByLookups?: number;
}

/** What a remap changes of an event. */
interface ComparedEvent extends EventChange {
  id: string;
  /** Returns what that means for its alerts, for a dry run. */
  differences: () => Difference[];
}

/**
 * Locks these events, and compares them with what is stored. Events that are skipped, or have expired in the meantime, are left
 * out.
 */
export async function compareEvents(
  transaction: Knex.Transaction,
  webhookId: string,
  events: readonly RemapEvent[],
): Promise<ComparedEvent[]> {
  const mapped = events.filter((event) => event.mapped !== null);
  if (mapped.length === 0) return [];
  const wanted = mapped.map(({ place }) => place);
  const locked = await lockEvents(transaction, wanted);
  const places = wanted.filter(({ id }) => locked.has(id));
  const alerts = await alertsOfEvents(transaction, places);
  const items = await itemsOfEvents(transaction, webhookId, places);
  return mapped.flatMap(({ place: { id }, mapped: event, changedByLookups = 0 }) => {
    const stored = locked.get(id);
    if (!event || !stored) return [];
    const rows = { alerts: alerts.get(id) ?? [], items: items.get(id) ?? [] };
    const content = { ...stored, ...rows };
    const change = compareEvent(event, content);
    if (change === NO_CHANGE) return { id, ...change, differences: () => [] };
    const counts = { ...change.counts, changedByLookups };
    return { id, ...change, counts, differences: () => differencesOf(event, content) };
  });
}

/** Returns a function that gives an item in another series the repetitions that the item had: they have kept its alert alive. */
const heardOf =
  (before: ReadonlyMap<string, StoredExpiry>) =>
  ({ item: { seriesId, receivedAt, expiresAt }, from }: EventChange['moved'][number]): Repeated[] => {
    const expiry = before.get(from);
    return expiresAt == null || expiry?.receivedAt !== receivedAt || expiry.heardAt === receivedAt
      ? []
      : [{ ...expiry, seriesId, digest: null, repetitions: 0 }];
  };

/** The series are locked last, because events of a frequent key wait for them. */
export async function writeChanges(
  transaction: Knex.Transaction,
  changes: readonly EventChange[],
): Promise<void> {
  const events = changes.flatMap(({ write }) => write ?? []);
  await replaceAlerts(
    transaction,
    events,
    changes.flatMap(({ surplusAlerts }) => surplusAlerts),
  );
  const [items, surplus] = [
    changes.flatMap((change) => change.items),
    changes.flatMap(({ surplusItems }) => surplusItems),
  ];
  await deleteItems(transaction, surplus);
  await upsertItems(transaction, items);
  const keys = changes.flatMap(({ series }) => series);
  if (keys.length === 0) return;
  const from = Math.min(...[...items, ...surplus].map(({ receivedAt }) => receivedAt));
  await markForRefold(transaction, { keys, from, gone: changes.flatMap(({ gone }) => gone) });
  const silent = items.filter(({ expiresAt }) => expiresAt == null);
  await deleteExpiriesOf(transaction, silent);
  const moved = changes.flatMap((change) => change.moved);
  const before = await readExpiries(transaction, [...new Set(moved.map(({ from }) => from))]);
  await writeExpiries(transaction, expiriesOf(items));
  await countRepetitions(transaction, moved.flatMap(heardOf(before)));
}
