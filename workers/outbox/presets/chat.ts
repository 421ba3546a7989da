import { duration } from '../../text/quantities.js';
import { timeText } from '../../text/times.js';
import { type Cutter, inOneLine } from './cutter.js';
import type { Digest, MessageType, Told, ToldAlert } from './preset.js';

/** The colors that chats show next to a message. */
export const COLORS: Readonly<Record<MessageType, number>> = {
  'alert.fired': 0xd92d20,
  'alert.changed': 0xf5a623,
  'alert.repeated': 0xd92d20,
  'alert.resolved': 0x2e9e4f,
};

/** Returns the color of a message as `#d92d20`. */
export const hexColor = (type: MessageType): string => `#${COLORS[type].toString(16).padStart(6, '0')}`;

const WORDS: Readonly<Record<MessageType, string>> = {
  'alert.fired': 'FIRED',
  'alert.changed': 'CHANGED',
  'alert.repeated': 'STILL FIRING',
  'alert.resolved': 'RESOLVED',
};

const MAX_SEVERITY = 40;

/** Returns the title of an alert in one line. */
export const titleOf = ({ title, webhookName }: ToldAlert): string =>
  inOneLine(title ?? '') || `Alert of ${inOneLine(webhookName)}`;

/** Returns the line that a phone shows: `FIRED: High CPU (critical)`, `RESOLVED after 12 minutes: High CPU`. */
export function headline(told: Told, cutter: Cutter, limit: number): string {
  const { type, alert, isTest } = told;
  const start = `${isTest ? 'TEST ' : ''}${WORDS[type]}${lasted(told)}: `;
  const severity = cutter.fit(inOneLine(alert.severity ?? ''), MAX_SEVERITY);
  const end = severity && type !== 'alert.resolved' ? ` (${severity})` : '';
  return start + cutter.fit(titleOf(alert), limit - cutter.sizeOf(start + end)) + end;
}

function lasted({ type, at, alert: { startedAt, resolvedAt } }: Told): string {
  if (type === 'alert.repeated') return ` for ${between(startedAt, at)}`;
  return type === 'alert.resolved' && resolvedAt ? ` after ${between(startedAt, resolvedAt)}` : '';
}

const between = (from: string, to: string): string =>
  duration(Math.max(Date.parse(to) - Date.parse(from), 0) / 1_000);

export interface Fact {
  label: string;
  value: string;
}

/** How many facts a message shows, and how long they may be. */
export interface FactLimits {
  count: number;
  label: number;
  value: number;
}

/** Returns what a message shows of an alert, escaped and cut: its fields first, then its custom fields. None is empty. */
export function factsOf({ alert }: Told, cutter: Cutter, limits: FactLimits): Fact[] {
  const own: [label: string, value: string | null][] = [
    ['Severity', severityText(alert)],
    ['Source', alert.source],
    ['Service', alert.service],
    ['Environment', alert.environment],
    ['Team', alert.team],
    ['Integration', alert.webhookName],
    ['Key', alert.dedupKey],
    ['First seen', timeText(Date.parse(alert.startedAt))],
    ['Events', alert.eventCount > 1 ? String(alert.eventCount) : null],
    ['Resolved', resolvedText(alert)],
    ['Resolution', alert.resolution],
  ];
  const facts = [...own, ...Object.entries(alert.custom)]
    .map(([label, value]) => ({ label: inOneLine(label), value: inOneLine(value ?? '') }))
    .filter(({ label, value }) => label && value);
  return cutter.first(facts, limits.count).map(({ label, value }) => ({
    label: cutter.fit(label, limits.label),
    value: cutter.fit(value, limits.value),
  }));
}

function severityText({ severity, peakSeverity }: ToldAlert): string | null {
  return severity && peakSeverity && peakSeverity !== severity
    ? `${severity} (peak ${peakSeverity})`
    : severity;
}

const RESOLVED_BY = { event: 'an event', person: 'a person', expiry: 'its expiry' } as const;

function resolvedText({ resolvedAt, resolvedBy }: ToldAlert): string | null {
  if (!resolvedAt) return null;
  return timeText(Date.parse(resolvedAt)) + (resolvedBy ? `, by ${RESOLVED_BY[resolvedBy]}` : '');
}

/** How many alerts of a digest are shown. */
const SHOWN = 10;
const SHOWN_LINE = 200;
/** The types of messages with how a digest counts them, the most important one first. */
const COUNTED = [
  ['alert.fired', 'fired'],
  ['alert.changed', 'changed'],
  ['alert.repeated', 'still firing'],
  ['alert.resolved', 'resolved'],
] as const;

/** Returns what a digest says: `34 alerts: 30 fired, 4 resolved`, the lines of the first alerts, escaped, and how many more there are. */
export function digestOf({ told }: Digest, cutter: Cutter) {
  const counts = COUNTED.map(([type, word]) => ({
    type,
    word,
    count: told.filter((one) => one.type === type).length,
  })).filter(({ count }) => count > 0);
  return {
    type: counts[0]?.type ?? 'alert.fired',
    line: `${told.length} alerts: ${counts.map(({ count, word }) => `${count} ${word}`).join(', ')}`,
    shown: told.slice(0, SHOWN).map((one) => ({
      text: headline(one, cutter, SHOWN_LINE),
      link: one.alert.link,
    })),
    more: told.length > SHOWN ? [`and ${told.length - SHOWN} more`] : [],
  };
}
