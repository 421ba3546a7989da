import { alertId } from '../../../db/events/alerts/alert-id.js';
import type { NewEvent, NewItem } from '../../../db/events/new-event.js';
import { seriesId } from '../../../db/series/series.js';
import { OWN_KEY_PREFIX, ranksOf } from '../../mapping/index.js';
import type { HeartbeatPing, IntakeEvent } from '../../queues/contracts/alert-intake.js';

/*
 * Events that no mapping reads: pings of heartbeats, and what Muster reports itself. Their items are those of series like any other, so that their
 * alerts repeat, resolve, expire with their retention and are listed as the others are.
 */

/** Where Muster's own alerts say that they come from. */
const SOURCE = 'Muster';
/** How much of the log of a ping an alert shows. The event has all of it. */
const MAX_LOG_CHARACTERS = 2_000;

/** What an item of Muster says. */
export interface OwnItem {
  /** Without its prefix: `heartbeat:backup`. */
  key: string;
  status: 'firing' | 'resolved';
  severity: string;
  title: string | null;
  description: string;
  custom: Record<string, string>;
}

/** Returns the item of a heartbeat's ping; null of a start or a log, which say nothing about a problem. */
function itemOfPing({ heartbeat, result, exitStatus, severity }: HeartbeatPing, log: string): OwnItem | null {
  const common = { key: heartbeatKey(heartbeat), severity, custom: { heartbeat } };
  if (result === 'start' || result === 'log') return null;
  if (result === 'success')
    return { ...common, status: 'resolved', title: null, description: 'The job reported success.' };
  const status = exitStatus === undefined ? '' : ` with exit status ${exitStatus}`;
  return {
    ...common,
    status: 'firing',
    title: `Heartbeat ${heartbeat} failed${status}`,
    description:
      log.slice(0, MAX_LOG_CHARACTERS).toWellFormed().trim() ||
      `The job reported a failure${status}, without a log.`,
  };
}

/** Returns the key of a heartbeat's alerts, without its prefix. */
export const heartbeatKey = (name: string): string => `heartbeat:${name}`;

/** Returns the event of a ping, ready to store. */
export function buildPing(event: IntakeEvent, ping: HeartbeatPing): NewEvent {
  const body = event.base64 ? Buffer.from(event.raw, 'base64') : event.raw;
  const item = itemOfPing(ping, body.toString());
  return {
    ...ownEvent(event, item ? [item] : []),
    state: 'ping',
    raw: body,
    request: event.request ?? null,
    ping: { name: ping.heartbeat, result: ping.result, exitStatus: ping.exitStatus ?? null },
  };
}

/** Returns an event that Muster made, ready to store. */
export function ownEvent(
  { id, webhookId, receivedAt, raw }: Pick<IntakeEvent, 'id' | 'webhookId' | 'receivedAt' | 'raw'>,
  items: readonly OwnItem[],
): NewEvent {
  const place = { webhookId, receivedAt };
  return {
    ...place,
    id,
    state: 'internal',
    revision: 0,
    faults: null,
    filter: null,
    raw,
    request: null,
    alerts: [],
    items: items.map((item, number) => toItem(item, { ...place, id: alertId(id, number).toLowerCase() })),
  };
}

function toItem(
  { key, status, severity, title, description, custom }: OwnItem,
  place: { id: string; webhookId: string; receivedAt: number },
): NewItem {
  const dedupKey = OWN_KEY_PREFIX + key;
  const named = Object.keys(custom).map((name) => `${JSON.stringify(name)}:2`);
  const digits = title === null ? '0222000' : '2222000';
  return {
    ...place,
    dedupKey,
    seriesId: seriesId(place.webhookId, dedupKey),
    status,
    state: 'complete',
    title,
    severity,
    description,
    source: SOURCE,
    service: null,
    environment: null,
    team: null,
    ownerEmail: null,
    custom: JSON.stringify(custom),
    faults: null,
    occurrence: null,
    final: false,
    revision: 0,
    ranks: ranksOf(digits, named.join()).text,
  };
}
