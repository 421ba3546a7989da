import type { Database } from '../../db/client/connect.js';
import { heardAt, type Unheard, unheardBetween } from '../../db/events/heard-events.js';
import { heardFor, type Period } from '../../db/upkeep/listening.js';
import { lastRefusal, type Watched } from '../../db/webhooks/silences.js';
import type { Report } from '../events/store/report.js';
import { counted, duration } from '../text/quantities.js';
import { timeText } from '../text/times.js';
import { inBoth, openPeriods } from './open-hours.js';

/** The key of an integration's silence, without the prefix of Muster's own keys. */
export const SILENCE_KEY = 'silence';

/** Why no event of an integration was kept. */
export type SilenceKind = 'silent' | 'filtered' | 'rejected' | 'refused';

/** Up to when Muster knows what came, and when it listened. */
export interface Known {
  until: Date;
  periods: readonly Period[];
}

/** Returns a report if an integration has been silent for longer than it promises. */
export async function beginsSilence(
  database: Database,
  watched: Watched,
  { until, periods }: Known,
): Promise<Report | null> {
  const { id, rule } = watched;
  const last = await heardAt(database, id, { from: watched.since, to: until }, 'last');
  const since = last ?? watched.since;
  const open = openPeriods(rule.schedule, { from: since.getTime(), to: until.getTime() });
  const at = heardFor(inBoth(periods, open), since.getTime(), rule.afterSeconds * 1_000);
  if (at === null) return null;
  const range = { from: since, to: new Date(at) };
  const unheard = await unheardBetween(database, id, range);
  const refusal = await lastRefusal(database, id, since);
  return toReport(watched, { at, since: since.getTime(), isFirst: last === null, ...unheard, refusal });
}

/** Returns a report if an event came after a silence began. */
export async function endsSilence(
  database: Database,
  { webhookId, began }: { webhookId: string; began: Date },
  { until }: Pick<Known, 'until'>,
): Promise<Report | null> {
  const heard = await heardAt(database, webhookId, { from: began, to: until }, 'first');
  if (!heard) return null;
  const seconds = (heard.getTime() - began.getTime()) / 1_000;
  return overReport(webhookId, heard.getTime(), `An event came ${duration(seconds)} later.`);
}

/** Returns the report that a silence no longer counts, because its integration has no rule any more. */
export const dropsSilence = (webhookId: string, { until }: Pick<Known, 'until'>): Report =>
  overReport(webhookId, until.getTime(), 'The integration no longer promises events.');

interface Found extends Unheard {
  at: number;
  since: number;
  /** No event has been kept since the rule holds. */
  isFirst: boolean;
  refusal: { at: Date; code: string } | null;
}

function toReport({ id, name, rule }: Watched, found: Found): Report {
  const { at, since, isFirst, filtered, rejected, refusal } = found;
  const kind = kindOf(found);
  const counts = { filtered, rejected, lastRefusal: refusal && { at: refusal.at, code: refusal.code } };
  return {
    webhookId: id,
    at,
    body: { muster: 'silence', kind, at: new Date(at), since: new Date(since), ...counts },
    item: {
      key: SILENCE_KEY,
      status: 'firing',
      severity: rule.severity,
      title: TITLES[kind](name),
      description: [
        `No event was kept for ${duration(rule.afterSeconds)}${rule.schedule ? ' of its hours' : ''}.`,
        WHY[kind](found),
        isFirst ? `The rule holds since ${timeText(since)}.` : `The last event came at ${timeText(since)}.`,
        away(found, rule.afterSeconds, rule.schedule !== null),
      ]
        .filter(Boolean)
        .join(' '),
      custom: { silence: kind },
    },
  };
}

function kindOf({ filtered, rejected, refusal }: Found): SilenceKind {
  if (filtered > 0) return 'filtered';
  if (rejected > 0) return 'rejected';
  return refusal ? 'refused' : 'silent';
}

const TITLES: Record<SilenceKind, (name: string) => string> = {
  silent: (name) => `No events from ${name}`,
  filtered: (name) => `All events of ${name} are filtered`,
  rejected: (name) => `All events of ${name} are rejected`,
  refused: (name) => `All requests of ${name} are refused`,
};

const WHY: Record<SilenceKind, (found: Found) => string> = {
  silent: () => 'No event was sent to its URL.',
  filtered: ({ filtered }) =>
    `${counted(filtered, 'event')} came, and the filter of the mapping dropped all of them.`,
  rejected: ({ rejected, lastRejection }) =>
    `${counted(rejected, 'event')} came and could not be read. The last: ${lastRejection ?? 'unknown'}`,
  refused: ({ refusal }) =>
    refusal
      ? `Requests came, and none was accepted; the last at ${timeText(refusal.at.getTime())}, with \`${refusal.code}\`.`
      : '',
};

/** What Muster did not hear itself. With hours, time passes that does not count anyway. */
function away({ at, since }: Found, afterSeconds: number, hasHours: boolean): string {
  const seconds = (at - since) / 1_000 - afterSeconds;
  return hasHours || seconds < 1
    ? ''
    : `Muster could not receive events for ${duration(seconds)} of that time, which does not count.`;
}

const overReport = (webhookId: string, at: number, description: string): Report => ({
  webhookId,
  at,
  body: { muster: 'silence', kind: null, at: new Date(at), reason: description },
  item: { key: SILENCE_KEY, status: 'resolved', severity: 'info', title: null, description, custom: {} },
});
